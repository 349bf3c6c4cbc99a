import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseCid } from '@tidenet/content'
import { carFrame, carHeader } from '@tidenet/content/car'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'

/** Copies of many small files from one source. */

let env: TestEnv
beforeEach(async () => {
  env = await createTestEnv()
})
afterEach(() => env.stop())

type File = Awaited<ReturnType<typeof randomFile>>
type Handler = (asked: IncomingMessage, answer: ServerResponse) => void

/** Something in front of a node: it answers some requests itself, and passes the others on. */
async function inFrontOf(node: StorageNode, path: RegExp, handler: Handler): Promise<string> {
  const server = createServer((asked, answer) => {
    if (path.test(asked.url ?? '')) return handler(asked, answer)
    const onward = request(
      node.url + asked.url,
      { method: asked.method ?? 'GET', headers: asked.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(answer)
      },
    )
    asked.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const none: Handler = (_, answer) => {
  answer.statusCode = 404
  answer.end()
}

interface Result {
  cid: string
  state: string
  source?: string
  bad_sources: { node_id: string }[]
}
const results = () => env.server.of('replicas').flatMap((body) => body.results as Result[])

async function holder(count: number): Promise<{ from: StorageNode; files: File[] }> {
  const from = await env.start()
  const files = await Promise.all(Array.from({ length: count }, () => randomFile(2000)))
  for (const { bytes } of files) await upload(env, from, bytes)
  return { from, files }
}

/** A new node that is told to copy the files. @returns what it reports of them */
async function copied(files: readonly File[], source: { node_id: string; url: string }) {
  const to = await env.start()
  const works = await Promise.all(
    files.map(async ({ cid, bytes }) => {
      const token = await env.server.downloadToken(source.node_id, cid, { typ: 'pull' })
      const sources = [{ ...source, more_urls: [], token }]
      return { type: 'pull' as const, kind: 'file' as const, cid, size: bytes.length, sources }
    }),
  )
  // All in the answer to one heartbeat.
  for (const work of works) env.server.give(to.id, work)
  await env.server.until(() => results().length >= files.length)
  return { to, reported: new Map(results().map((result) => [result.cid, result])) }
}

describe('small files of one source', () => {
  it('are copied with few requests: nothing is asked for alone', async () => {
    const { from, files } = await holder(20)
    const url = await inFrontOf(from, /^\/ipfs\//, none)
    const { to, reported } = await copied(files, { node_id: from.id, url })
    for (const { cid, bytes } of files) {
      expect(reported.get(cid)).toMatchObject({ state: 'stored', source: from.id, bad_sources: [] })
      const token = await env.server.downloadToken(to.id, cid)
      const answer = await fetch(`${to.url}/ipfs/${cid}?token=${token}`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    }
  })

  it('are copied one by one from a source that does not know the request', async () => {
    const { from, files } = await holder(5)
    const url = await inFrontOf(from, /^\/copies/, none)
    const { reported } = await copied(files, { node_id: from.id, url })
    for (const { cid } of files) expect(reported.get(cid)).toMatchObject({ state: 'stored', source: from.id })
  })

  it('blame a source only for what it does not give alone either', async () => {
    const { from, files } = await holder(3)
    const [first, second] = files as [File, File]
    await from.stop()
    const bare = await env.start()
    await upload(env, bare, first.bytes)
    const { reported } = await copied(files, { node_id: bare.id, url: bare.url })
    expect(reported.get(first.cid)).toMatchObject({ state: 'stored' })
    expect(reported.get(second.cid)).toMatchObject({ state: 'failed', bad_sources: [{ node_id: bare.id }] })
  })

  it('are refused if they are not what was asked for', async () => {
    const { from, files } = await holder(4)
    const other = await randomFile(2000)
    const lie: Handler = (_, answer) => {
      const wrong = carFrame({ cid: parseCid(files[0]?.cid ?? ''), bytes: randomBytes(2000) })
      const foreign = carFrame({ cid: parseCid(other.cid), bytes: other.bytes })
      answer.end(Buffer.concat([carHeader([]), foreign, wrong]))
    }
    const url = await inFrontOf(from, /^\/copies/, lie)
    const { to, reported } = await copied(files, { node_id: from.id, url })
    for (const { cid } of files) expect(reported.get(cid)).toMatchObject({ state: 'stored' })
    const token = await env.server.downloadToken(to.id, other.cid)
    expect((await fetch(`${to.url}/ipfs/${other.cid}?token=${token}`)).status).toBe(404)
  })
})
