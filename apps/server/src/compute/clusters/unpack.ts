import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ClusterError, type Execution } from './driver.ts'

/**
 * Unpacks the output of `framed`. Closing stdin would close the connection before the exit code arrives, so the end is marked within the
 * stream: each piece follows its length, and length 0 is the end.
 */
export const UNPACK = [
  '/bin/sh',
  '-c',
  'while read -r n && [ "$n" -gt 0 ]; do dd bs="$n" count=1 iflag=fullblock 2>/dev/null || break; done | tar -x -f - -C /',
]
const PIECE = 128 * 1024

/** Sends an archive to `UNPACK`. @throws ClusterError */
export async function unpack(run: Execution, archive: Readable): Promise<void> {
  run.stream.resume()
  const sent = pipeline(Readable.from(framed(archive)), run.stream, { end: false })
  // Fails if the program ends early; its exit code tells.
  sent.catch(() => {})
  await Promise.race([sent, run.exit]).catch((error: Error) => {
    run.stream.destroy()
    throw new ClusterError('failed', `The files could not be copied: ${error.message}`, { cause: error })
  })
  const code = await run.exit
  run.stream.destroy()
  if (code !== 0) throw new ClusterError('failed', `The files could not be copied: tar exited with ${code}`)
}

/** Pieces of at least 128 KiB, each after its length. */
export async function* framed(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  const piece = () => {
    const bytes = Buffer.concat([Buffer.from(`${length}\n`), ...chunks])
    chunks = []
    length = 0
    return bytes
  }
  for await (const chunk of archive) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= PIECE) yield piece()
  }
  if (length > 0) yield piece()
  yield Buffer.from('0\n')
}
