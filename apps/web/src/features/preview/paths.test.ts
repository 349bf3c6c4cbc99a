import { expect, it } from 'vitest'
import { joined, nameOf, parentOf, urlsAt } from './paths.ts'

it('goes up and down by one name', () => {
  expect([parentOf(''), parentOf('a'), parentOf('a/b/c')]).toEqual(['', '', 'a/b'])
  expect([nameOf(''), nameOf('a'), nameOf('a/b/c')]).toEqual(['', 'a', 'c'])
  expect([joined('', 'a'), joined('a/b', 'c')]).toEqual(['a', 'a/b/c'])
})

it('asks a node for a part by its path, whatever letters are in it, and not by the name of the whole', () => {
  const url = 'https://node.example:9000/ipfs/bafyfolder?token=t.o-k&filename=whole'
  expect(urlsAt('北/#1 100%?.txt', [url])).toEqual([
    'https://node.example:9000/ipfs/bafyfolder/%E5%8C%97/%231%20100%25%3F.txt?token=t.o-k',
  ])
})

it('changes nothing for the folder itself', () => {
  expect(urlsAt('', ['https://node.example/ipfs/x?filename=y'])).toEqual(['https://node.example/ipfs/x?filename=y'])
  expect(urlsAt(undefined, [])).toEqual([])
})
