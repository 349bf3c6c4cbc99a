import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterAll, describe, expect, it } from 'vitest'
import { DATA } from './content-record.ts'
import { openContentStore } from './content-store.ts'
import { writeNow } from './place.ts'
import type { WriteAhead } from './write-ahead.ts'

const log = createLogger('test', 'silent')
const made: string[] = []
afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true }))))

const bytes = Buffer.from('a small file')
const content = { cid: 'bafkreismall', kind: 'file' as const, size: bytes.length, blocks: 1 }

/** A store, and what to do when it asks for its capacity or writes the next time. */
async function open(folder?: string) {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'store-')))
  if (!folder) made.push(data)
  const next: { onCapacity?: (() => void) | undefined; onWrite?: (() => Promise<void>) | undefined } = {}
  const ahead: WriteAhead = {
    async write(writes) {
      await next.onWrite?.()
      for (const write of writes) writeNow(data, write)
    },
    stop: async () => {},
  }
  const capacity = () => {
    const { onCapacity } = next
    next.onCapacity = undefined
    onCapacity?.()
    return 2 ** 30
  }
  return { data, next, store: await openContentStore({ folder: data, capacity, ahead, now: Date.now, log }) }
}

describe('a content that is stored twice at the same time, as one file and as a folder', () => {
  it('is there once, counts once, and does not return after it was removed', async () => {
    const { data, next, store } = await open()
    const incoming = await store.incoming()
    await writeFile(join(incoming.folder, DATA), bytes)
    let asFile = Promise.resolve(false)
    next.onCapacity = () => {
      asFile = store.keepSmall({ cid: content.cid, bytes })
    }
    const asFolder = await incoming.keep(content)
    expect([asFolder, await asFile]).toEqual([true, false])
    expect(store.space.used).toBe(store.get(content.cid)?.disk)
    await store.remove(content.cid)
    expect(store.space.used).toBe(0)
    expect((await open(data)).store.count).toBe(0)
  })
})

describe('a content that is removed while the receipt of another upload of it is written', () => {
  it('is gone', async () => {
    const { next, store } = await open()
    await store.keepSmall({ cid: content.cid, bytes })
    let again = Promise.resolve(true)
    const goOn = await new Promise<() => void>((begun) => {
      next.onWrite = () => new Promise<void>((gate) => begun(gate))
      again = store.keepSmall({ cid: content.cid, bytes }, [{ path: 'receipt', bytes }])
    })
    const removed = store.remove(content.cid)
    goOn()
    expect(await again).toBe(false)
    expect(await removed).toBe(true)
    expect(store.get(content.cid)).toBeUndefined()
    expect(store.space.used).toBe(0)
  })
})

describe('a content that was stored a moment ago', () => {
  it('is read at once, unless it is larger than asked for', async () => {
    const { store } = await open()
    await store.keepSmall({ cid: content.cid, bytes })
    expect(store.readFresh(content.cid, bytes.length)).toEqual(Buffer.from(bytes))
    expect(store.readFresh(content.cid, bytes.length - 1)).toBeUndefined()
  })
})
