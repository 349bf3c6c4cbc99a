import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ClusterError, type Execution } from '../driver.ts'

/**
 * Takes what `framed` sends and unpacks it. The end of the input would be the end of the connection, before it is said how the program
 * ended, so the end is said in words: each piece comes behind its length, and a length of 0 is the end.
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
  // A program that ended early takes no more.
  sent.catch(() => {})
  await Promise.race([sent, run.exit]).catch((error: Error) => {
    run.stream.destroy()
    throw new ClusterError('failed', `The files were not taken: ${error.message}`, { cause: error })
  })
  const code = await run.exit
  run.stream.destroy()
  if (code !== 0) throw new ClusterError('failed', `The files were not taken: tar ended with ${code}`)
}

/** Pieces behind their lengths, not many small ones. */
export async function* framed(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let length = 0
  const piece = () => {
    const bytes = Buffer.concat([Buffer.from(`${length}\n`), ...held])
    held = []
    length = 0
    return bytes
  }
  for await (const chunk of archive) {
    held.push(chunk)
    length += chunk.length
    if (length >= PIECE) yield piece()
  }
  if (length > 0) yield piece()
  yield Buffer.from('0\n')
}
