import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { type Key, messageOf, openSocket, signed } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

/** The only node of a network begins to send wrong bytes. A client of the S3 gateway gets right bytes or a broken transfer. */

const MiB = 1024 * 1024
let network: Network
let key: Key
const contents: Record<string, Buffer> = { small: randomBytes(1000), large: randomBytes(5 * MiB) }

beforeAll(async () => {
  network = await startNetwork({ nodes: [{ kind: 'candidate', name: 'only' }], s3: { port: 0 } })
  const account = await s3Account(network)
  key = account.credentials
  const { put, get } = await account.bucket('photos')
  for (const [name, bytes] of Object.entries(contents)) {
    await put(name, bytes)
    expect((await get(name)).bytes.equals(bytes)).toBe(true)
  }
  const [node] = network.nodes
  await node?.process.stop()
  const restarted = await network.addNode({ kind: 'candidate', name: 'only', env: { TIDENET_NODE_FAULT: 'flip-bits' } })
  expect(restarted.id).toBe(node?.id)
})
afterAll(() => network?.stop())

/** The head and the body of an answer, as far as they came. */
async function read(path: string): Promise<{ head: string; body: Buffer }> {
  const { host, port } = new URL(network.s3Url)
  const socket = await openSocket(Number(port))
  const { headers } = signed(key, { method: 'GET', path, headers: { host } })
  socket.write(messageOf('GET', path, { ...headers, connection: 'close' }))
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  await Promise.race([new Promise((resolve) => socket.on('error', resolve).on('close', resolve)), sleep(60_000)])
  socket.destroy()
  const bytes = Buffer.concat(pieces)
  const end = bytes.indexOf('\r\n\r\n')
  return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end + 4) }
}

describe('an object whose node sends wrong bytes', () => {
  it.each(['small', 'large'])(
    '%s: no wrong byte reaches the client, and the transfer is not complete',
    async (name) => {
      const bytes = contents[name] as Buffer
      const { head, body } = await read(`/photos/${name}`)
      if (head.startsWith('HTTP/1.1 200')) {
        expect(head.toLowerCase()).toContain(`content-length: ${bytes.length}`)
        expect(body.length).toBeLessThan(bytes.length)
        expect(body.equals(bytes.subarray(0, body.length))).toBe(true)
      } else expect(head).toMatch(/^HTTP\/1\.1 5/)
    },
  )
})
