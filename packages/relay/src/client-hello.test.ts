import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createHelloReader } from './client-hello.ts'

const readClientHello = (bytes: Buffer) => createHelloReader()(bytes)

/** The first bytes of a real TLS client. */
async function helloOf(servername: string): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = connect({ host: '127.0.0.1', port, servername })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  client.destroy()
  server.close()
  return bytes
}

/** The same message in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5)
  const records: Buffer[] = []
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size)
    records.push(Buffer.of(0x16, 3, 1, part.length >> 8, part.length & 0xff), part)
  }
  return Buffer.concat(records)
}

describe('the name in a ClientHello', () => {
  it('is found whatever records it comes in, and in lower case', async () => {
    const hello = await helloOf('Device.Example.NET')
    const found = { state: 'complete', serverName: 'device.example.net' }
    expect(readClientHello(hello)).toEqual(found)
    for (const size of [1, 2, 3, 50]) expect(readClientHello(inRecords(hello, size))).toEqual(found)
    expect(readClientHello(Buffer.concat([hello, Buffer.from('more')]))).toEqual(found)
  })

  it('is awaited until the last byte', async () => {
    for (const hello of [await helloOf('device.example.net'), inRecords(await helloOf('device.example.net'), 7)])
      for (let length = 0; length < hello.length; length++)
        expect(readClientHello(hello.subarray(0, length)), String(length)).toEqual({ state: 'incomplete' })
  })

  it('is found in parts of any size', async () => {
    for (const bytes of [await helloOf('device.example.net'), inRecords(await helloOf('device.example.net'), 7)]) {
      const read = createHelloReader()
      for (let at = 0; at < bytes.length - 1; at++)
        expect(read(bytes.subarray(at, at + 1)), String(at)).toEqual({ state: 'incomplete' })
      expect(read(bytes.subarray(-1))).toEqual({ state: 'complete', serverName: 'device.example.net' })
    }
  })

  it('costs little in thousands of records that arrive one by one', () => {
    const message = Buffer.alloc(2700)
    message[0] = 1
    message.writeUIntBE(16_000, 1, 3)
    const bytes = inRecords(Buffer.concat([Buffer.alloc(5), message]), 1)
    const read = createHelloReader()
    const began = performance.now()
    for (let at = 0; at < bytes.length; at += 6) expect(read(bytes.subarray(at, at + 6)).state).toBe('incomplete')
    // Reading all from the beginning for every part took minutes.
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('may be missing', async () => {
    expect(readClientHello(await helloOf(''))).toEqual({ state: 'complete', serverName: undefined })
  })

  it('is refused in what is no hello, whatever byte is wrong', async () => {
    const hello = await helloOf('device.example.net')
    for (const bytes of [
      Buffer.from('GET / HTTP/1.1\r\n'),
      Buffer.of(0x16, 3, 1, 0, 0),
      Buffer.of(0x16, 3, 1, 0xff, 0xff),
      Buffer.of(0x16, 2, 0, 0, 5),
      Buffer.of(0x16, 3, 1, 0, 5, 2, 0, 0, 1, 0),
      Buffer.of(0x16, 3, 1, 0, 4, 1, 0xff, 0xff, 0xff),
    ])
      expect(readClientHello(bytes)).toEqual({ state: 'invalid' })
    // No change of one byte makes it throw, or find a name that is not one.
    for (let at = 0; at < hello.length; at++)
      for (const value of [0, 0x2f, 0xff]) {
        const changed = Buffer.from(hello)
        changed[at] = value
        const read = readClientHello(changed)
        if (read.state === 'complete') expect(read.serverName ?? '').toMatch(/^[a-z0-9._-]*$/)
      }
  })
})
