import { describe, expect, it } from 'vitest'
import { neighboursOf, type ReadBatch, type Row } from './neighbours.ts'

let entries = 0
const file = (cid: string, name = cid) => ({ asset: { cid, entry: ++entries, name }, isFile: true })
const uploadedFolder = (cid: string) => ({ ...file(cid), isFile: false })
const folder = { asset: null, isFile: false }

/** A folder that counts which batches are read. */
function listOf(entries: readonly Row[]) {
  const asked: number[] = []
  const read: ReadBatch = async (at) => {
    asked.push(at)
    return { list: entries.slice(at * 100, at * 100 + 100), total: entries.length }
  }
  return { read, asked }
}
const around = async (cid: string, hint: number, read: ReadBatch) => {
  const found = await neighboursOf({ cid }, hint, read)
  return found && { ...found, previous: found.previous?.cid, next: found.next?.cid }
}

describe('the files beside a file', () => {
  it('are the next ones that are files, without wrapping around', async () => {
    const { read } = listOf([folder, file('a'), uploadedFolder('sealed'), file('b'), folder])
    expect(await around('a', 0, read)).toEqual({ index: 1, name: 'a', count: 5, previous: undefined, next: 'b' })
    expect(await around('b', 0, read)).toEqual({ index: 3, name: 'b', count: 5, previous: 'a', next: undefined })
  })

  it('are found across the pages of a large folder, reading only those near it', async () => {
    const { read, asked } = listOf(Array.from({ length: 100_000 }, (_, index) => file(`${index}`)))
    expect(await around('70099', 70_020, read)).toEqual({
      index: 70_099,
      name: '70099',
      count: 100_000,
      previous: '70098',
      next: '70100',
    })
    expect(new Set(asked)).toEqual(new Set([700, 701]))
  })

  it('are found for a file that moved to another page', async () => {
    const { read } = listOf(Array.from({ length: 300 }, (_, index) => file(`${index}`)))
    expect(await around('250', 10, read)).toMatchObject({ index: 250, previous: '249', next: '251' })
  })

  it('are those of the chosen file if the folder contains its content twice', async () => {
    const [one, two, three] = [file('same', 'one.txt'), file('same', 'two.txt'), file('other')]
    const { read } = listOf([one, two, three])
    const first = await neighboursOf({ cid: 'same' }, 0, read)
    expect(first).toMatchObject({ name: 'one.txt', next: { cid: 'same', entry: two.asset.entry } })
    const second = await neighboursOf(first?.next ?? { cid: '' }, 0, read)
    expect(second).toMatchObject({
      index: 1,
      name: 'two.txt',
      previous: { entry: one.asset.entry },
      next: { cid: 'other' },
    })
  })

  it('are unknown for a file that the folder does not list', async () => {
    const { read } = listOf([file('a')])
    expect(await neighboursOf({ cid: 'z' }, 0, read)).toBeUndefined()
    expect(await neighboursOf({ cid: 'z' }, 0, listOf([]).read)).toBeUndefined()
  })
})
