import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { readAt } from '../contents/open-content.ts'
import type { Meter } from '../served.ts'
import type { Outgoing } from './outgoing.ts'

/** The client disconnected; not an error. */
export class ClientGone extends Error {}

const READ = 1 << 20
/** Larger reads use pooled buffers: allocating costs more than the read itself. */
const SMALL = 16 * 1024
const pool: Buffer[] = []
const POOL_MAX = 32

/** @param meter counts the bytes that the client's connection accepted */
export function outgoing(response: ServerResponse, meter: Meter): Outgoing {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new ClientGone())
        response.once('close', gone)
        response.write(bytes, (error) => {
          response.off('close', gone)
          if (error) {
            gone()
            return
          }
          meter.add(bytes.length)
          resolve()
        })
      }),
  }
}

/** Sends the bytes [start, end) of a file in 1 MiB reads, with one read ahead. */
export async function sendFile(out: Outgoing, file: FileHandle, start: number, end: number): Promise<void> {
  const buffers: Buffer[] = []
  const read = async (at: number, turn: number): Promise<Buffer> => {
    const length = Math.min(READ, end - at)
    buffers[turn] ??= length < SMALL ? Buffer.allocUnsafe(length) : (pool.pop() ?? Buffer.allocUnsafeSlow(READ))
    const buffer = buffers[turn].subarray(0, length)
    await readAt(file, buffer, at)
    return buffer
  }
  let next: Promise<Buffer> | undefined
  try {
    let turn = 0
    next = start < end ? read(start, turn) : undefined
    for (let at = start; at < end; ) {
      const bytes = (await next) ?? Buffer.alloc(0)
      at += bytes.length
      turn = 1 - turn
      next = at < end ? read(at, turn) : undefined
      await out.write(bytes)
    }
  } catch (error) {
    // The socket may still use these buffers, so do not return them to the pool. Do not close the file during a read.
    buffers.length = 0
    await next?.catch(() => {})
    throw error
  } finally {
    for (const buffer of buffers) if (buffer?.length === READ && pool.length < POOL_MAX) pool.push(buffer)
  }
}

/** Sends pieces as they are generated, combining small ones. */
export async function sendPieces(
  out: Outgoing,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let waiting: Uint8Array[] = []
  let size = 0
  const flush = async () => {
    const bytes = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting)
    waiting = []
    size = 0
    if (bytes && bytes.length > 0) await out.write(bytes)
  }
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size >= READ) await flush()
  }
  await flush()
}
