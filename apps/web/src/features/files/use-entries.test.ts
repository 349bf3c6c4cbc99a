import type { AssetOverview, ListItem } from '@tidenet/contract'
import { beforeEach, expect, it } from 'vitest'
import { queries, refresh } from '../../lib/queries.ts'
import { nameOf } from './entries.ts'
import { loadedMatches } from './use-entries.ts'

const file = (cid: string, AssetName: string): ListItem => ({
  Group: null,
  AssetOverview: {
    AssetRecord: { CID: cid },
    UserAssetDetail: { AssetName, AssetID: cid.charCodeAt(0) },
  } as AssetOverview,
})
const show = (parent: number, list: ListItem[]) =>
  queries.setQueryData(['folders.contents', { parent, page: 1 }], { list, total: list.length })
const namesOf = (q: string) => loadedMatches({ q }).map(nameOf)

beforeEach(() => {
  queries.clear()
  show(0, [file('a', 'Tide table.pdf'), file('b', 'low tide.txt'), file('c', 'chart.bin')])
  show(7, [file('d', 'tidemark.svg'), file('b', 'low tide.txt')])
})

it('finds loaded entries of all folders, each once, those that start with the text first', () => {
  expect(namesOf('TIDE')).toEqual(['Tide table.pdf', 'tidemark.svg', 'low tide.txt'])
  expect(namesOf('txt low')).toEqual(['low tide.txt'])
})

it('does not search outdated lists, and finds nothing if there are filters', () => {
  expect(namesOf('quay')).toEqual([])
  expect(loadedMatches({ q: 'tide', shared: true })).toEqual([])
  expect(loadedMatches({ q: 'tide', kind: 'image' })).toEqual([])
  refresh('folders.contents')
  expect(namesOf('tide')).toEqual([])
})
