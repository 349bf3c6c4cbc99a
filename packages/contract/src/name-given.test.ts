import { describe, expect, it } from 'vitest'
import { nameGiven } from './name-given.ts'

const files = (...names: string[]) => names.map((AssetName) => ({ AssetOverview: { UserAssetDetail: { AssetName } } }))

describe('the name of a content that was stored beside another', () => {
  it.each([
    ['a.txt', ['a.txt'], 'a.txt'],
    ['a.txt', ['a (2).txt', 'a.txt'], 'a.txt'],
    ['a.txt', ['b.txt', 'a (12).txt'], 'a (12).txt'],
    ['a (2).txt', ['a (2) (2).txt'], 'a (2) (2).txt'],
    ['folder', ['folder (2)'], 'folder (2)'],
    ['a very long name.txt', ['a very long (2).txt', 'b.txt'], 'a very long (2).txt'],
    ['a.txt', [], 'a.txt'],
  ])('%j, in a folder that lists %j, is %j', (asked, names, given) => {
    expect(nameGiven(asked, files(...names))).toBe(given)
  })
})
