import { expect, it } from 'vitest'
import { joinPath, nameOf, parentOf, urlsAt } from './paths.ts'

it('splits and joins paths', () => {
  expect([parentOf(''), parentOf('a'), parentOf('a/b/c')]).toEqual(['', '', 'a/b'])
  expect([nameOf(''), nameOf('a'), nameOf('a/b/c')]).toEqual(['', 'a', 'c'])
  expect([joinPath('', 'a'), joinPath('a/b', 'c')]).toEqual(['a', 'a/b/c'])
})

it('appends an encoded path to node URLs and drops the filename of the folder', () => {
  const url = 'https://node.example:9000/ipfs/bafyfolder?token=t.o-k&filename=whole'
  expect(urlsAt('北/#1 100%?.txt', [url])).toEqual([
    'https://node.example:9000/ipfs/bafyfolder/%E5%8C%97/%231%20100%25%3F.txt?token=t.o-k',
  ])
})

it('returns the URLs of the folder unchanged for an empty path', () => {
  expect(urlsAt('', ['https://node.example/ipfs/x?filename=y'])).toEqual(['https://node.example/ipfs/x?filename=y'])
  expect(urlsAt(undefined, [])).toEqual([])
})
