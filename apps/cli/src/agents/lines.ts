const NEWLINE = 0x0a

/**
 * The lines of a stream, without their ends. A longer line is dropped while it arrives, so that no more than a line is in memory.
 * @param max bytes of a line
 * @returns undefined for each line that is too long
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  const add = (part: Uint8Array) => {
    size += part.length
    if (size <= max) parts.push(part)
    else parts = []
  }
  const take = () => {
    const line = size > max ? undefined : Buffer.concat(parts).toString('utf8').replace(/\r$/, '')
    parts = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      yield take()
    }
    add(chunk.subarray(from))
  }
  if (size > 0) yield take()
}
