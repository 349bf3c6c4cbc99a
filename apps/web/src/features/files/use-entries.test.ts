import type { AssetOverview, ListItem } from '@tidenet/contract'
import { beforeEach, expect, it } from 'vitest'
import { queries, refresh } from '../../lib/queries.ts'
import { nameOf } from './entries.ts'
import { loadedMatches } from './use-entries.ts'

const file = (cid: string, AssetName: string): ListItem => ({
  Group: null,
  AssetOverview: { AssetRecord: { CID: cid }, UserAssetDetail: { AssetName } } as AssetOverview,
})
const show = (parent: number, list: ListItem[]) =>
  queries.setQueryData(['folders.contents', { parent, page: 1 }], { list, total: list.length })
const namesOf = (q: string) => loadedMatches({ q }).map(nameOf)

beforeEach(() => {
  queries.clear()
  show(0, [file('a', 'Tide table.pdf'), file('b', 'low tide.txt'), file('c', 'chart.bin')])
  show(7, [file('d', 'tidemark.svg'), file('b', 'low tide.txt')])
})

it('what was loaded of any folder is found at once, each once, what begins with it first', () => {
  expect(namesOf('TIDE')).toEqual(['Tide table.pdf', 'tidemark.svg', 'low tide.txt'])
  expect(namesOf('txt low')).toEqual(['low tide.txt'])
})

it('nothing is made up: not what is no longer true, nor what a filter would leave', () => {
  expect(namesOf('quay')).toEqual([])
  expect(loadedMatches({ q: 'tide', shared: true })).toEqual([])
  expect(loadedMatches({ q: 'tide', kind: 'image' })).toEqual([])
  refresh('folders.contents')
  expect(namesOf('tide')).toEqual([])
})
