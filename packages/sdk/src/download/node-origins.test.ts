import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv, type TestNode } from '../test-env.fixture.ts'

/** A node that is reached directly and through relays, all of which may die. */

const SIZE = 24_000_000

let env: TestEnv
const ways: Way[] = []
afterEach(async () => {
  for (const way of ways.splice(0)) way.cut()
  await env?.close()
})

/** A way to a node: an origin of its own that passes bytes on. */
interface Way {
  origin: string
  bytes: number
  /** Cuts it after so many bytes more. */
  cutAfter: number
  /** Accepts connections, and passes nothing on. */
  isSilent: boolean
  cut(): void
}

async function wayTo({ url }: TestNode): Promise<Way> {
  const open = new Set<Socket>()
  const server = createServer((visitor) => {
    open.add(visitor)
    visitor.on('error', () => {})
    if (way.isSilent) return
    const node = connect(Number(new URL(url).port), '127.0.0.1')
    open.add(node)
    node.on('error', () => visitor.destroy())
    visitor.on('close', () => node.destroy())
    node.on('close', () => visitor.destroy())
    visitor.pipe(node)
    node.pipe(visitor)
    node.on('data', (chunk) => {
      way.bytes += chunk.length
      way.cutAfter -= chunk.length
      if (way.cutAfter < 0) way.cut()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const way: Way = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: 0,
    cutAfter: Number.POSITIVE_INFINITY,
    isSilent: false,
    cut() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
  ways.push(way)
  return way
}

/** A file on one node. @param relayed whether the first way is a relay as well */
async function setup(relayed = false) {
  env = await startTestEnv()
  const bytes = someBytes(SIZE)
  const uploaded = await env.storage().uploadAsset(bytes, { name: 'a.bin' })
  if (!isSuccess(uploaded)) throw new Error(uploaded.msg)
  const { cid } = uploaded.data
  const [node] = env.nodes as [TestNode]
  const [first, ...others] = [await wayTo(node), await wayTo(node), await wayTo(node)] as [Way, Way, Way]
  env.answers.set('share_asset', () => ({
    ...env.addresses(cid),
    url: [`${first.origin}/ipfs/${cid}?token=down-${node.id}`],
    routes: [{ relayed, more_origins: others.map(({ origin }) => origin) }],
  }))
  env.calls.length = 0
  const pieces: Uint8Array[] = []
  const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
  const download = async () => {
    const result = await env.storage().downloadAsset({ assetCid: cid, to: { stream } })
    expect(result.msg).toBeDefined()
    expect(isSuccess(result)).toBe(true)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  }
  return { first, second: others[0] as Way, third: others[1] as Way, download }
}

/** Whether relays were used, in the order of the attempts that gave bytes. */
const reported = () =>
  (env.called('report') as { details: { relayed?: boolean; size: number }[] }[])
    .flatMap(({ details }) => details)
    .filter(({ size }) => size > 0)
    .map(({ relayed }) => relayed)

describe('a download from a node with several ways', () => {
  it('goes the direct way while that is open', async () => {
    const { first, second, third, download } = await setup()
    await download()
    expect(first.bytes).toBeGreaterThan(SIZE)
    expect(second.bytes + third.bytes).toBe(0)
    expect(new Set(reported())).toEqual(new Set([false]))
  })

  it('goes through a relay if the direct way is closed, or leads nowhere', async () => {
    for (const close of [(way: Way) => way.cut(), (way: Way) => (way.isSilent = true)]) {
      const { first, second, download } = await setup()
      close(first)
      await download()
      expect(first.bytes).toBe(0)
      expect(second.bytes).toBeGreaterThan(SIZE)
      expect(new Set(reported())).toEqual(new Set([true]))
      await env.close()
    }
  })

  it('goes on through a relay where a way that dies has stopped, and through another one if that dies as well', async () => {
    const { first, second, third, download } = await setup()
    first.cutAfter = SIZE / 3
    second.cutAfter = SIZE / 3
    await download()
    expect(third.bytes).toBeGreaterThan(0)
    // What was on its way is sent again, and nothing else.
    expect(first.bytes + second.bytes + third.bytes).toBeLessThan(1.5 * SIZE)
    expect(reported()).toContain(false)
    expect(reported()).toContain(true)
  })

  it('needs no direct way', async () => {
    const { first, second, download } = await setup(true)
    first.cutAfter = SIZE / 2
    await download()
    expect(second.bytes).toBeGreaterThan(0)
    expect(new Set(reported())).toEqual(new Set([true]))
  })

  it('ends when no way is left', async () => {
    const { first, second, third } = await setup()
    for (const way of [first, second, third]) way.cut()
    const stream = new WritableStream<Uint8Array>()
    const cid = String((env.nodes[0] as TestNode).contents.keys().next().value)
    expect(isSuccess(await env.storage().downloadAsset({ assetCid: cid, to: { stream } }))).toBe(false)
  })
})
