import type { FileLayout } from '@tidenet/content/leaves'
import { CHUNK_SIZE } from '@tidenet/contract/constants'
import { describe, expect, it } from 'vitest'
import { createSharedBuffers } from '../gateway/shared-buffers.ts'
import { type ChunkReader, type Intake, readChunk } from './read-chunk.ts'

const LEAVES = 6
const layout = {
  size: LEAVES * CHUNK_SIZE,
  leafCount: LEAVES,
  leafAt: (leaf: number) => ({ offset: leaf * CHUNK_SIZE, size: CHUNK_SIZE, cid: { multihash: { digest: leaf } } }),
} as unknown as FileLayout

/** Reads all leaves from a node that sends `sent` bytes and then closes the connection; nobody releases what was written. */
async function readFrom(answer: { status?: number; sent: number; good?: number }) {
  const shared = createSharedBuffers(0)
  const own = shared.open()
  const written: Uint8Array[] = []
  const receive = async ({ check, intake }: { check(answer: object): void; intake: Intake }) => {
    check({ status: answer.status ?? 206, header: () => `bytes 0-${layout.size - 1}/${layout.size}` })
    for (let left = answer.sent; left > 0; ) {
      const more = Math.min(left, intake.buffer().length)
      left -= more
      await intake.took(more)
    }
    throw new Error('closed')
  }
  const reader = {
    platform: { getInto: () => receive },
    layout,
    target: { write: async ([bytes]: Uint8Array[]) => void written.push(bytes!) },
    toFailure: () => ({ msg: '' }),
    checker: async (_: Uint8Array, leaves: unknown[]) => answer.good ?? leaves.length,
    buffers: { acquire: own.acquire, release: () => {}, drop: own.drop },
    signal: new AbortController().signal,
    stall: 1000,
    onBytes: () => {},
  } as unknown as ChunkReader
  const read = readChunk(reader, { next: 0, last: LEAVES }, { url: 'http://node' } as Parameters<typeof readChunk>[2])
  await expect(read).rejects.toBeDefined()
  return { held: shared.held(), written }
}

describe('memory of a reading, after an answer that', () => {
  it.each([
    ['is a refusal', { status: 403, sent: 0 }],
    ['ends before the first leaf', { sent: CHUNK_SIZE - 1 }],
    ['is wrong', { sent: layout.size, good: 0 }],
  ])('%s, is not held', async (_, answer) => {
    expect(await readFrom(answer)).toEqual({ held: 0, written: [] })
  })

  it.each([1, 4, 5])('ends after leaf %i, is only what was written', async (leaves) => {
    const { held, written } = await readFrom({ sent: leaves * CHUNK_SIZE + 10 })
    expect(held).toBe(written.reduce((sum, { buffer }) => sum + buffer.byteLength, 0))
    expect(written.reduce((sum, { length }) => sum + length, 0)).toBe(leaves * CHUNK_SIZE)
  })
})
