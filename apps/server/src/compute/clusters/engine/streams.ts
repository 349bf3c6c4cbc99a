import { Duplex, PassThrough, type Readable, Transform, Writable } from 'node:stream'

/** Engines multiplex both outputs in one stream. Each frame has a header of eight bytes, whose last four are the length. */
const HEADER = 8

/** The frames of a complete multiplexed stream. `output`: 1 or 2, as of file descriptors. */
export function framesOf(bytes: Buffer): { output: number; frame: Buffer }[] {
  const frames: { output: number; frame: Buffer }[] = []
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4)
    frames.push({ output: bytes[at] ?? 0, frame: bytes.subarray(at + HEADER, at + HEADER + length) })
    at += HEADER + length
  }
  return frames
}

/** The text of a complete multiplexed stream. */
export const demultiplex = (bytes: Buffer): string =>
  Buffer.concat(framesOf(bytes).map(({ frame }) => frame)).toString('utf8')

/** Removes the headers from a multiplexed stream. */
export function demultiplexer(): Transform {
  let buffered: Buffer = Buffer.alloc(0)
  let remaining = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      while (buffered.length > 0) {
        if (remaining === 0) {
          if (buffered.length < HEADER) break
          remaining = buffered.readUInt32BE(4)
          buffered = buffered.subarray(HEADER)
          continue
        }
        const piece = buffered.subarray(0, remaining)
        this.push(piece)
        remaining -= piece.length
        buffered = buffered.subarray(piece.length)
      }
      done()
    },
  })
}

/** Splits a multiplexed stream into its two outputs. It is read no further while either of them is full. */
export function splitOutputs(connection: Duplex): { output: Readable; errors: Readable } {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  let buffered: Buffer = Buffer.alloc(0)
  let remaining = 0
  let target = output
  const split = new Writable({
    write(chunk: Buffer, _, done) {
      const full = new Set<PassThrough>()
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      while (buffered.length > 0) {
        if (remaining === 0) {
          if (buffered.length < HEADER) break
          target = buffered[0] === 2 ? errors : output
          remaining = buffered.readUInt32BE(4)
          buffered = buffered.subarray(HEADER)
          continue
        }
        const piece = buffered.subarray(0, remaining)
        if (!target.write(piece)) full.add(target)
        remaining -= piece.length
        buffered = buffered.subarray(piece.length)
      }
      let left = full.size
      if (left === 0) return done()
      for (const each of full)
        each.once('drain', () => {
          left -= 1
          if (left === 0) done()
        })
    },
    final(done) {
      output.end()
      errors.end()
      done()
    },
  })
  // Without its end, if the connection broke.
  connection.once('close', () => split.end())
  connection.pipe(split)
  return { output, errors }
}

/**
 * One stream that writes to an engine's connection and reads its processed output. If either side closes the connection, the stream ends
 * without an error: programs and their users may leave at any time.
 */
export function joinStreams(connection: Duplex, output: Readable): Duplex {
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
    // Data that has arrived is still read.
    if (connection.readableEnded === false) end()
  })
  connection.on('error', end)
  return both
}
