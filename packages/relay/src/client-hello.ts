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

/**
 * Reads a hello that arrives in parts: call it with each of them. Every byte is looked at once, because strangers choose the size of the
 * parts and of the records in them. What comes after the hello is ignored.
 */
export function createHelloReader(): (part: Buffer) => Hello {
  const header = Buffer.alloc(RECORD_HEADER)
  let headed = 0
  /** Bytes of the current record that are missing. */
  let left = 0
  let message = Buffer.alloc(1024)
  let length = 0
  const keep = (payload: Buffer) => {
    const needed = length + payload.length
    if (needed > message.length) message = Buffer.concat([message.subarray(0, length)], 2 * needed)
    payload.copy(message, length)
    length = needed
  }
  return (part) => {
    for (let at = 0; ; ) {
      if (length > 0 && message[0] !== CLIENT_HELLO) return { state: 'invalid' }
      const expected = length >= 4 ? 4 + message.readUIntBE(1, 3) : undefined
      if (expected !== undefined && expected > HELLO_BYTES_MAX) return { state: 'invalid' }
      if (expected !== undefined && length >= expected) return readMessage(message.subarray(4, expected))
      if (at === part.length) return { state: 'incomplete' }
      const next = part.subarray(at, at + (left > 0 ? left : RECORD_HEADER - headed))
      at += next.length
      if (left > 0) {
        left -= next.length
        keep(next)
        continue
      }
      next.copy(header, headed)
      headed = (headed + next.length) % RECORD_HEADER
      if (header[0] !== HANDSHAKE) return { state: 'invalid' }
      if (headed > 0) continue
      left = header.readUInt16BE(3)
      // Empty records would let a hello go on without end.
      if (header[1] !== 3 || left === 0 || left > RECORD_MAX) return { state: 'invalid' }
    }
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
