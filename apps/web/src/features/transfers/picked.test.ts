import { describe, expect, it } from 'vitest'
import { type Picked, pickedFromEntries, pickedFromInput } from './picked.ts'

/** A folder as browsers provide it: in batches, then an empty one. */
function folder(name: string, children: FileSystemEntry[]): FileSystemEntry {
  return {
    name,
    isFile: false,
    createReader() {
      const batches = [children.slice(0, 2), children.slice(2), []].filter(
        (batch, index) => batch.length > 0 || index === 2,
      )
      return { readEntries: (done: (batch: FileSystemEntry[]) => void) => done(batches.shift() ?? []) }
    },
  } as unknown as FileSystemEntry
}
const file = (name: string, text = name): FileSystemEntry =>
  ({
    name,
    isFile: true,
    file: (done: (file: File) => void) => done(new File([text], name)),
  }) as unknown as FileSystemEntry

const told = (picked: readonly Picked[]) =>
  picked.map((one) =>
    one.kind === 'file' ? one.name : [one.name, one.size, one.files.map(({ path }) => path), one.empty],
  )

describe('dropped files', () => {
  it('reads files and folders recursively, with empty folders', async () => {
    const holiday = folder('holiday', [
      file('a.txt'),
      folder('day 1', [file('b.txt'), file('c.txt'), file('d.txt')]),
      folder('plans', [folder('later', [])]),
    ])
    expect(told(await pickedFromEntries([file('e.txt'), holiday], []))).toEqual([
      'e.txt',
      [
        'holiday',
        20,
        ['holiday/a.txt', 'holiday/day 1/b.txt', 'holiday/day 1/c.txt', 'holiday/day 1/d.txt'],
        ['holiday/plans/later/'],
      ],
    ])
  })

  it('accepts an empty folder', async () => {
    expect(told(await pickedFromEntries([folder('empty', [])], []))).toEqual([['empty', 0, [], ['empty/']]])
  })

  it('falls back to files if the browser provides no entries', async () => {
    expect(told(await pickedFromEntries([], [new File(['a'], 'a.txt')]))).toEqual(['a.txt'])
  })
})

describe('chosen files', () => {
  it('groups files into folders by their paths', () => {
    const chosen = Object.defineProperty(new File(['a'], 'a.txt'), 'webkitRelativePath', { value: 'holiday/a.txt' })
    expect(told(pickedFromInput([chosen, new File(['b'], 'b.txt')]))).toEqual([
      'b.txt',
      ['holiday', 1, ['holiday/a.txt'], []],
    ])
  })
})

describe('unreadable entries', () => {
  it('are rejected', async () => {
    const broken = {
      name: 'broken',
      isFile: true,
      file: (_: unknown, fail: (error: Error) => void) => fail(new Error('gone')),
    } as unknown as FileSystemEntry
    await expect(pickedFromEntries([folder('holiday', [broken])], [])).rejects.toThrow()
  })
})
