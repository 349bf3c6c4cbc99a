import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readCar } from '@tidenet/content/car'
import type { DownloadClaims, ViaClaims } from '@tidenet/contract'
import { askForCopies, VIA_COPIES, viaAddress } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { StorageNode } from './app.ts'
import { audit } from './tasks/audits.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from './test-env.fixture.ts'

/** A node passes requests of audits on to the audited node, and nothing else. */

let env: TestEnv
let relay: StorageNode
let target: StorageNode
let bytes: Buffer
let cid: string
beforeEach(async () => {
  env = await createTestEnv()
  ;[relay, target] = [await env.start(), await env.start()]
  ;({ bytes, cid } = await randomFile(1_000_000))
  await upload(env, target, bytes)
})
afterEach(() => env.stop())

const tokenFor = (claims: Partial<ViaClaims> = {}, at = relay) =>
  env.server.downloadToken(at.id, cid, {
    ...{ typ: 'via', node: target.id, origin: target.url, most: 5_000_000 },
    ...claims,
  } as unknown as Partial<DownloadClaims>)
const address = async (token: string, at = relay, query = '') => {
  const wanted = await env.server.downloadToken(target.id, cid)
  return viaAddress(`${target.url}/ipfs/${cid}?token=${wanted}&filename=a%20name${query}`, { url: at.url, token })
}
const get = (url: string, range?: string) => fetch(url, range ? { headers: { range } } : {})
/** The status of a path that `fetch` would change. */
const statusOf = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const asked = request(relay.url, { path }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject).end()
  })

describe('a node that passes requests on', () => {
  it('answers as the audited node does', async () => {
    const url = await address(await tokenFor())
    const part = await get(url, 'bytes=1000-1999')
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/1000000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    expect((await (await get(url)).arrayBuffer()).byteLength).toBe(1_000_000)
    const inner = await get(await address(await tokenFor(), relay, '&format=inner'))
    expect(inner.status).toBe(200)
    const other = await env.server.downloadToken(target.id, (await randomFile(10)).cid)
    const asked = `${target.url}/ipfs/${cid}?token=${other}`
    expect((await get(viaAddress(asked, { url: relay.url, token: await tokenFor() }))).status).toBe(403)
  })

  it('needs a token for it, this node, this content and now', async () => {
    const elsewhere = (await randomFile(10)).cid
    const past = Math.floor(Date.now() / 1000) - 1
    const bad: [number, string][] = [
      [401, ''],
      [401, 'nonsense'],
      [401, await tokenFor({ exp: past })],
      [403, await env.server.downloadToken(relay.id, cid)],
      [403, await tokenFor({}, target)],
      [403, await tokenFor({ cid: elsewhere })],
    ]
    for (const [status, token] of bad) expect((await get(await address(token))).status).toBe(status)
    // The token gives no access to contents of the node itself.
    expect((await get(`${relay.url}/ipfs/${cid}?token=${await tokenFor()}`)).status).toBe(403)
  })

  it('asks for contents only, and only the named node', async () => {
    const token = await tokenFor()
    const paths = [
      `/via/${cid}/../../health`,
      `/via/${cid}/%2e%2e/%2e%2e/health`,
      `/via/@127.0.0.1:1`,
      '/via//127.0.0.1:1/x',
    ]
    for (const path of paths) expect([403, 404]).toContain(await statusOf(`${path}?token=${token}&token=x`))
  })

  it('asks for many small contents at once with a token for that, as a node that copies them', async () => {
    const small = await randomFile(1000)
    await upload(env, target, small.bytes)
    const tokens = [await env.server.downloadToken(target.id, small.cid, { typ: 'pull', sub: 'node:other', tid: '' })]
    const ask = async (claims: Partial<ViaClaims> = {}, more = '') => {
      const via = { url: relay.url, token: await tokenFor({ cid: VIA_COPIES, ...claims }) }
      const list = more === '' ? tokens : [...tokens, more]
      return askForCopies(target.url, list, { most: 1e6, withinMs: 10_000, privateToo: true, via })
    }
    const answer = await ask()
    expect(answer.status).toBe(200)
    const blocks = []
    for await (const block of readCar(answer.body).blocks) blocks.push(block.cid.toString())
    expect(blocks).toEqual([small.cid])
    // The target decides what its tokens give access to.
    expect((await ask({}, await env.server.downloadToken(target.id, cid))).status).toBe(403)
    // A token for one content is not one for many, nor the other way round, and no more bytes come than it allows.
    expect((await ask({ cid })).status).toBe(403)
    expect((await get(await address(await tokenFor({ cid: VIA_COPIES })))).status).toBe(403)
    expect((await ask({ most: 500 })).status).toBe(502)
    expect((await ask({ node: relay.id }, 'x'.repeat(300_000))).status).toBe(413)
    const post = (token: string) => fetch(`${relay.url}/via/copies?token=${token}`, { method: 'POST', body: '{}' })
    expect((await post('')).status).toBe(401)
    expect((await post(await tokenFor({ cid: VIA_COPIES }, target))).status).toBe(403)
  })

  it('sends no more bytes than the token allows, over all requests', async () => {
    const token = await tokenFor({ most: 10_000 })
    const url = await address(token)
    expect((await get(url, 'bytes=0-10000')).status).toBe(502)
    expect((await get(url, 'bytes=0-5999')).status).toBe(206)
    expect((await get(url, 'bytes=0-5999')).status).toBe(502)
    await (await get(url, 'bytes=0-3999')).arrayBuffer()
    expect((await get(url, 'bytes=0-0')).status).toBe(403)
  })

  it('sends no more bytes than the token allows, over requests at the same time and all ways to write it', async () => {
    const token = await tokenFor({ most: 10_000 })
    const urls = [token, `${token}=`, `${token}.`, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`]
    const asked = await Promise.all(urls.concat(urls, urls).map(async (one) => get(await address(one), 'bytes=0-5999')))
    const statuses = asked.map(({ status }) => status)
    expect(statuses.filter((status) => status === 206)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([206, 401, 502]))
  })

  it('does not connect to private addresses outside of development', async () => {
    const careful = await env.start({ privateNodes: false })
    expect((await get(await address(await tokenFor({}, careful), careful))).status).toBe(502)
  })
})

describe('an audit through another node', () => {
  const busy = async () => {
    const server = createServer((_, answer) =>
      answer.writeHead(503, { 'content-type': 'application/json; charset=utf-8' }).end('{}'),
    )
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const result = async (origin: string, via: { url: string; token: string }) => {
    const token = await env.server.downloadToken(target.id, cid)
    const source = { node_id: target.id, url: `${origin}/ipfs/${cid}?token=${token}&filename=a`, token, via }
    const work = { type: 'audit', id: 'one', cid, kind: 'file', size: bytes.length, position: 0.5, source } as const
    return audit(work, { privateToo: true }, new AbortController().signal)
  }

  it('has no result if that node is too busy', async () => {
    expect(await result(target.url, { url: relay.url, token: await tokenFor() })).toMatchObject({ passed: true })
    expect(await result(target.url, { url: await busy(), token: 'x' })).toBeUndefined()
    expect(await result(target.url, { url: relay.url, token: 'expired' })).toBeUndefined()
  })

  it('fails if the audited node says that it is too busy', async () => {
    const origin = await busy()
    expect(await result(origin, { url: relay.url, token: await tokenFor({ origin }) })).toMatchObject({ passed: false })
  })
})
