/** Reads the server name of a TLS ClientHello (RFC 8446, RFC 6066), which may span records and packets. Nothing of it is decrypted. */

export type Hello =
  | { state: 'incomplete' }
  | { state: 'invalid' }
  | { state: 'complete'; serverName: string | undefined }

const HANDSHAKE = 0x16
const CLIENT_HELLO = 1
const RECORD_HEADER = 5
/** TLS limits the payload of a record. */
const RECORD_MAX = 16_384
const SERVER_NAME = 0
const HOST_NAME = 0
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
/** Longer ones are no hello: those of browsers have about 2 KiB. */
export const HELLO_BYTES_MAX = 16_384

/** @param bytes all that arrived so far; what comes after the hello is ignored */
export function readClientHello(bytes: Buffer): Hello {
  const parts: Buffer[] = []
  let length = 0
  for (let at = 0; ; ) {
    const message = Buffer.concat(parts)
    if (message.length > 0 && message[0] !== CLIENT_HELLO) return { state: 'invalid' }
    const expected = message.length >= 4 ? 4 + message.readUIntBE(1, 3) : undefined
    if (expected !== undefined && expected > HELLO_BYTES_MAX) return { state: 'invalid' }
    if (expected !== undefined && message.length >= expected) return readMessage(message.subarray(4, expected))
    if (bytes.length < at + RECORD_HEADER)
      return bytes.length > at && bytes[at] !== HANDSHAKE ? { state: 'invalid' } : { state: 'incomplete' }
    const size = bytes.readUInt16BE(at + 3)
    // Empty records would let a hello go on without end.
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3 || size === 0 || size > RECORD_MAX) return { state: 'invalid' }
    at += RECORD_HEADER
    const payload = bytes.subarray(at, at + size)
    parts.push(payload)
    length += payload.length
    at += size
    if (payload.length < size && length < 4) return { state: 'incomplete' }
  }
}

/** Reads fields one after the other. @throws RangeError behind the end */
function reader(bytes: Buffer) {
  let at = 0
  const take = (count: number) => {
    if (at + count > bytes.length) throw new RangeError('behind the end')
    at += count
    return bytes.subarray(at - count, at)
  }
  return {
    take,
    number: (size: number) => take(size).readUIntBE(0, size),
    /** A field with its length before it, in so many bytes. */
    vector: (size: number) => take(take(size).readUIntBE(0, size)),
    isAtEnd: () => at === bytes.length,
  }
}

function readMessage(message: Buffer): Hello {
  try {
    const hello = reader(message)
    // Version and random, session, cipher suites, compression.
    hello.take(2 + 32)
    hello.vector(1)
    hello.vector(2)
    hello.vector(1)
    if (hello.isAtEnd()) return { state: 'complete', serverName: undefined }
    const extensions = reader(hello.vector(2))
    while (!extensions.isAtEnd()) {
      const type = extensions.number(2)
      const body = extensions.vector(2)
      if (type !== SERVER_NAME) continue
      const names = reader(reader(body).vector(2))
      if (names.number(1) !== HOST_NAME) return { state: 'invalid' }
      const name = names.vector(2).toString('latin1').toLowerCase()
      return NAME.test(name) && name.length <= 253 ? { state: 'complete', serverName: name } : { state: 'invalid' }
    }
    return { state: 'complete', serverName: undefined }
  } catch (error) {
    if (error instanceof RangeError) return { state: 'invalid' }
    throw error
  }
}
