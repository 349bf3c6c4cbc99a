import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { CHUNK_SIZE, createFileHasher, leafDigests, readFileLayout } from '@tidenet/content'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCore } from '../create-core.ts'
import { createTransfers } from './index.ts'
import { joinContents } from './join.ts'

/** A node that answers joins with what a test sets; undefined: not at all. */
let answer: { status: number; body: object } | undefined
const asked: unknown[] = []
const node = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  asked.push(JSON.parse(Buffer.concat(chunks).toString()))
  if (answer) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})
let JoinURL = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  JoinURL = `http://127.0.0.1:${(node.address() as AddressInfo).port}/join`
})
afterAll(() => {
  node.close()
  node.closeAllConnections()
})

async function hashed(...pieces: Uint8Array[]) {
  const hasher = createFileHasher()
  for (const piece of pieces) await hasher.update(piece)
  const { cid, size, inner } = await hasher.finish()
  const nodes = new Map(inner.map((block) => [block.cid.toString(), block.bytes]))
  const layout = await readFileLayout(cid, size, async (each) => nodes.get(each.toString()) ?? new Uint8Array())
  return { cid: cid.toString(), size, leaves: Buffer.from(leafDigests(layout)).toString('base64') }
}
const pieces = [randomBytes(2 * CHUNK_SIZE), randomBytes(CHUNK_SIZE + 1)] as const
const joined = async (...all: Uint8Array[]) => {
  const { cid, leaves } = await hashed(...all)
  return { code: 0, err: 0, msg: '', cid, receipt: 'signed', leaves }
}

/** What the portal is told of transfers. */
const told: string[] = []
const options = {
  url: 'http://portal.example',
  token: 'key',
  fetch: async (url: unknown) => {
    await setTimeout(5)
    told.push(new URL(String(url)).pathname)
    return new Response(JSON.stringify({ code: 0, err: 0, msg: '', data: {} }))
  },
}
const transfers = createTransfers(options)
const signal = new AbortController().signal
const ask = async (there = true) => ({
  code: 0 as const,
  msg: '',
  data: { TraceID: 'trace', node: there ? { NodeID: 'node', JoinURL, Token: 'token' } : null },
})
const join = async (parts: readonly { cid: string; size: number }[], there = true) =>
  transfers.join(() => ask(there), parts, signal)

describe('contents that a node joins', () => {
  it('are named by the parts, and proven by the leaves', async () => {
    const parts = await Promise.all(pieces.map((piece) => hashed(piece)))
    answer = { status: 200, body: await joined(...pieces) }
    expect(await join(parts)).toEqual({ cid: (await hashed(...pieces)).cid, receipt: 'signed', traceId: 'trace' })
    expect(asked.at(-1)).toEqual({ parts: parts.map(({ cid }) => cid) })
  })

  it('have to be sent if no node has all, or they would have other leaves: then nobody is asked', async () => {
    const parts = await Promise.all(pieces.map((piece) => hashed(piece)))
    expect(await join(parts, false)).toBeUndefined()
    const before = asked.length
    expect(await join(parts.toReversed())).toBeUndefined()
    expect(asked.length).toBe(before)
  })

  it('are not believed: other bytes, another order, other leaves, a refusal, no answer', async () => {
    const parts = await Promise.all(pieces.map((piece) => hashed(piece)))
    const right = await joined(...pieces)
    const other = await joined(randomBytes(2 * CHUNK_SIZE), pieces[1])
    const lies = [
      { status: 200, body: other },
      { status: 200, body: { ...other, leaves: right.leaves } },
      { status: 200, body: { ...right, leaves: other.leaves } },
      { status: 200, body: { ...right, leaves: undefined } },
      { status: 200, body: { ...right, receipt: '' } },
      { status: 404, body: { code: -1, err: 10028, msg: 'not here' } },
    ]
    told.length = 0
    for (const lie of lies) {
      answer = lie
      expect(await join(parts)).toBeUndefined()
    }
    // What was reserved for them is released before the bytes are sent: the quota may have no room for both.
    expect(told.filter((path) => path.endsWith('/cancel_upload')).length).toBe(lies.length)
  })

  it('have to be sent if the node does not answer for longer than a disk takes', async () => {
    const parts = await Promise.all(pieces.map((piece) => hashed(piece)))
    answer = undefined
    const core = createCore(options, { limits: { upload: 50 } })
    const began = performance.now()
    expect(await joinContents(core, () => ask(), parts, signal)).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
