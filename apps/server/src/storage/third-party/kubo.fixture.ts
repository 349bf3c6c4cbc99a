import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseCid } from '@tidenet/content'
import { readCar } from '@tidenet/content/car'
import { readNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'

/** For tests: the calls of a Kubo node's RPC that the server uses, with blocks in memory. The long tests run the same suite with Kubo. */
export type TestKubo = Awaited<ReturnType<typeof startKubo>>

export async function startKubo({ token = '' }: { token?: string } = {}) {
  const blocks = new Map<string, Uint8Array>()
  const pins = new Set<string>()
  const faults = { down: false, wrongBlocks: false, noBlocks: false, refused: '', onImport: async (_cid: string) => {} }
  const calls = { imports: 0, removed: 0 }

  /** Whether everything below a root is stored, as Kubo checks before it pins. */
  function isWhole(cid: string): boolean {
    const bytes = blocks.get(cid)
    if (!bytes) return false
    const root = parseCid(cid)
    return readNode(root, bytes).links.every((link) => isWhole(link.cid.toV1().toString()))
  }

  async function importCar(request: IncomingMessage): Promise<object[]> {
    calls.imports += 1
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const form = Buffer.concat(parts)
    const boundary = /boundary=(.*)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
    const start = form.indexOf('\r\n\r\n') + 4
    const end = form.lastIndexOf(`\r\n--${boundary}--`)
    const reading = readCar(
      (async function* () {
        yield form.subarray(start, end)
      })(),
    )
    const roots = await reading.roots
    for (const root of roots) await faults.onImport(root.toV1().toString())
    for await (const { cid, bytes } of reading.blocks) {
      await verifyBlock(cid, bytes)
      blocks.set(cid.toV1().toString(), bytes)
    }
    return roots.map((root) => {
      const cid = root.toV1().toString()
      if (cid === faults.refused) return { Root: { Cid: { '/': cid }, PinErrorMsg: 'refused' } }
      if (!isWhole(cid)) return { Root: { Cid: { '/': cid }, PinErrorMsg: 'block was not found locally' } }
      pins.add(cid)
      return { Root: { Cid: { '/': cid }, PinErrorMsg: '' } }
    })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://kubo')
    const cid = url.searchParams.get('arg') ?? ''
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body instanceof Uint8Array ? body : typeof body === 'string' ? body : JSON.stringify(body))
    }
    const refuse = (Message: string) => answer(500, { Message, Code: 0, Type: 'error' })
    const serve = async () => {
      if (faults.down) return request.socket.destroy()
      if (token !== '' && request.headers.authorization !== `Bearer ${token}`) return answer(403, '403 - Access Denied')
      if (request.method !== 'POST') return answer(405, '405 - Method Not Allowed')
      switch (url.pathname.replace('/api/v0/', '')) {
        case 'dag/import':
          return answer(200, (await importCar(request)).map((line) => `${JSON.stringify(line)}\n`).join(''))
        case 'pin/ls':
          return pins.has(cid)
            ? answer(200, { Keys: { [cid]: { Type: 'recursive', Name: '' } } })
            : refuse(`path '${cid}' is not pinned`)
        case 'pin/rm':
          if (!pins.delete(cid)) return refuse('not pinned or pinned indirectly')
          calls.removed += 1
          return answer(200, { Pins: [cid] })
        case 'block/get': {
          const bytes = faults.noBlocks ? undefined : blocks.get(cid)
          if (!bytes) return refuse('block was not found locally (offline)')
          return answer(200, faults.wrongBlocks ? Buffer.from(bytes).fill(0) : Buffer.from(bytes))
        }
        case 'id':
          return answer(200, { ID: 'test', Addresses: ['/ip4/127.0.0.1/tcp/4001/p2p/test'] })
        default:
          return answer(404, '404 page not found')
      }
    }
    serve().catch((error: Error) => refuse(error.message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    blocks,
    pins,
    faults,
    calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
