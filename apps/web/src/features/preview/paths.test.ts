import { expect, it } from 'vitest'
import { joinPath, nameOf, parentOf } from './paths.ts'

it('splits and joins paths', () => {
  expect([parentOf(''), parentOf('a'), parentOf('a/b/c')]).toEqual(['', '', 'a/b'])
  expect([nameOf(''), nameOf('a'), nameOf('a/b/c')]).toEqual(['', 'a', 'c'])
  expect([joinPath('', 'a'), joinPath('a/b', 'c')]).toEqual(['a', 'a/b/c'])
})
