import type { SmallUpload, Transfers } from '@tidenet/storage/gateway'
import { expect, it } from 'vitest'
import { createSmallWrites, type Write } from './small-writes.ts'

/** More than one transfer has, and large enough that two batches are sent at a time. */
const OBJECTS = 5200
const LARGE = 100 * 1024
const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A network that keeps and lists everything. */
function network() {
  const unlisted = new Map<string, number>()
  /** Transfers that ended before everything was listed that was sent with them: the portal forgets what is not listed then. */
  const cut: string[] = []
  let traces = 0
  const api = {
    async call(_: string, input: { trace_id: string; files: readonly { item: number; key: string }[] }) {
      for (let turn = 0; turn < 20; turn++) await soon()
      unlisted.set(input.trace_id, (unlisted.get(input.trace_id) ?? 0) - input.files.length)
      const results = input.files.map(({ item, key }) => ({ item, object: { key }, failed: false }))
      return { code: 0, msg: '', data: { results } }
    },
  }
  const smallUpload = (): SmallUpload => {
    const traceId = `trace ${traces++}`
    return {
      async store(contents) {
        unlisted.set(traceId, (unlisted.get(traceId) ?? 0) + contents.length)
        return contents.map(() => ({ cid: 'c', receipt: 'r', traceId }))
      },
      async end() {
        if ((unlisted.get(traceId) ?? 0) > 0) cut.push(traceId)
      },
    }
  }
  const transfers = { api, smallUpload } as unknown as Transfers
  return { transfers, cut, count: () => traces }
}

it('a transfer ends when all that was sent with it is listed, also if the next one has begun', async () => {
  const { transfers, cut, count } = network()
  const writes = createSmallWrites()
  const bytes = new Uint8Array(LARGE)
  await Promise.all(
    Array.from({ length: OBJECTS }, (_, index) => writes.add(transfers, 'b', { key: `${index}` } as Write, bytes)),
  )
  await writes.stop()
  expect(count()).toBeGreaterThan(1)
  expect(cut).toEqual([])
})
