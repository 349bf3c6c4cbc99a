import { Duplex, type Readable, Transform } from 'node:stream'

/** Engines send both outputs in one stream: eight bytes, the last four of them a length, before each piece. */
const HEADER = 8

/** The text of such a stream that has been read whole. */
export function demultiplexed(bytes: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4)
    parts.push(bytes.subarray(at + HEADER, at + HEADER + length))
    at += HEADER + length
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Takes the headers out of a stream as it comes. */
export function demultiplexer(): Transform {
  let held: Buffer = Buffer.alloc(0)
  let left = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      while (held.length > 0) {
        if (left === 0) {
          if (held.length < HEADER) break
          left = held.readUInt32BE(4)
          held = held.subarray(HEADER)
          continue
        }
        const piece = held.subarray(0, left)
        this.push(piece)
        left -= piece.length
        held = held.subarray(piece.length)
      }
      done()
    },
  })
}

/**
 * One stream of an engine's connection and of what is made of its output. The end of either side of the connection is an end here, never
 * an error: programs and those who watch them leave when they like.
 */
export function joined(connection: Duplex, output: Readable): Duplex {
  let ended = false
  const end = () => {
    if (!ended) both.push(null)
    ended = true
  }
  const both = new Duplex({
    read() {
      output.resume()
    },
    write(chunk, _, done) {
      if (connection.destroyed || connection.writableEnded || connection.write(chunk)) return done()
      const go = () => {
        connection.off('drain', go).off('close', go)
        done()
      }
      connection.on('drain', go).on('close', go)
    },
    final(done) {
      connection.end()
      done()
    },
    destroy(error, done) {
      connection.destroy()
      done(error)
    },
  })
  output.on('data', (chunk) => {
    if (!ended && !both.push(chunk)) output.pause()
  })
  output.once('end', end)
  output.once('error', end)
  connection.once('close', () => {
    // What has arrived is still to be read.
    if (connection.readableEnded === false) end()
  })
  connection.on('error', end)
  return both
}
