import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHUNK_SIZE } from '@tidenet/contract'
import { createStorage, isSuccess, type Storage } from '@tidenet/storage'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVER } from '../../apps/server/src/network/audits/open.ts'
import { runServerAudits } from '../../apps/server/src/network/audits/server-audits.ts'
import { probeNode } from '../../apps/server/src/network/control/reachability.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type RealNode, realNode } from '../hostile/honest.ts'

/** What a node sees of downloads with the SDK, and of audits. No feature of a request, or of a sequence of requests, tells them apart. */

let env: TestEnv
let node: RealNode
let validator: RealNode
let relay: RealNode
let owner: Person
let storage: Storage
let folderOnDisk: string
const seen: Request[] = []

interface Request {
  method: string
  url: string
  headers: string[]
}

const FILE_SIZE = 3_000_000
const PART_SIZE = 1_500_000

beforeAll(async () => {
  env = await setup()
  const origin = await env.app.listen({ host: '127.0.0.1', port: 0 })
  const serves = ({ method = '', url = '', rawHeaders }: IncomingMessage) => {
    if (url.startsWith('/ipfs/')) seen.push({ method, url, headers: rawHeaders })
    return false
  }
  node = await realNode(env, origin, { kind: 'candidate', address: '127.31.1.1', bend: { serves } })
  validator = await realNode(env, origin, { kind: 'validator', address: '127.31.2.1' })
  relay = await realNode(env, origin, { kind: 'candidate', address: '127.31.3.1' })
  await Promise.all([node.beat(), validator.beat(), relay.beat()])
  await Promise.all([node, validator, relay].map(({ id }) => probeNode(env.context, id)))
  // Uploads go to the node that records.
  await env.db.run(sql`update nodes set out_since = now() where id <> ${node.id}`)
  owner = await env.person({ vip: true })
  storage = createStorage({ token: await env.key(owner, 'admin'), url: origin, lang: 'en' })
  folderOnDisk = await mkdtemp(join(tmpdir(), 'tidenet-shape-'))
  await mkdir(join(folderOnDisk, 'a folder', 'below it'), { recursive: true })
  await writeFile(join(folderOnDisk, 'a folder', 'small.txt'), bytesOf(1000))
  await writeFile(join(folderOnDisk, 'a folder', 'below it', 'large one.bin'), bytesOf(PART_SIZE))
})
afterAll(async () => {
  await Promise.all([node?.stop(), validator?.stop(), relay?.stop()])
  await env?.close()
  await rm(folderOnDisk, { recursive: true, force: true })
})

let filled = 0
function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  filled += 1
  return Uint8Array.from({ length: size }, (_, index) => (index * filled) >> 3)
}

async function uploaded(what: File | string): Promise<string> {
  const answer = await storage.uploadAsset(what, { md5: false })
  if (!isSuccess(answer)) throw new Error(answer.msg)
  return answer.data.cid
}

/** The requests that `act` causes. */
async function requestsOf(act: () => Promise<unknown>): Promise<Request[]> {
  seen.length = 0
  await act()
  return [...seen]
}

/** Audits the copy of the recording node, half of the times by the server, and half of the times through another node. */
async function audit(cid: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++)
    await env.db.run(sql`
      insert into audits (id, cid, node_id, validator_id, via_id, position, state, created_at)
      values (${randomUUID()}, ${cid}, ${node.id}, ${time % 2 === 0 ? validator.id : SERVER}, ${time % 4 < 2 ? relay.id : null},
        ${(time + 0.5) / times}, 'open', now())`)
  await runServerAudits(env.context)
  const open = () => env.db.rows(sql`select 1 from audits where state = 'open'`)
  while ((await open()).length > 0) await validator.beat()
  const states = await env.db.rows(sql`select distinct state, error from audits where cid = ${cid}`)
  expect(states).toEqual([{ state: 'passed', error: '' }])
}

/** All that a node can see of a request, except what differs between any two downloads. */
function shapeOf({ method, url, headers }: Request): string {
  const [path = '', search = ''] = url.split('?')
  const pairs = search.split('&').map((pair) => pair.split('='))
  const token = pairs.find(([name]) => name === 'token')?.[1] ?? ''
  const { iss, aud, cid, iat = 0, exp = 0, ...claims } = decodeJwt(token)
  const [root = '', ...names] = path.split('/').slice(2)
  // Clients that sign what they receive send a key, others do not.
  const { rk, sub, tid, ...others } = claims
  const of = (index: number) => headers.filter((_, at) => at % 2 === index)
  const range = headers[headers.findIndex((name) => name.toLowerCase() === 'range') + 1] ?? ''
  return JSON.stringify({
    method,
    path: [root === cid ? 'content' : 'block', ...names],
    query: pairs.map(([name = '', value]) => (name === 'token' ? 'token' : `${name}=${value}`)),
    headers: of(0),
    values: of(1).filter((_, index) => !/^(host|range)$/i.test(of(0)[index] ?? '')),
    range: /range/i.test(of(0).join()) ? rangeForm(range) : 'none',
    header: Object.keys(decodeProtectedHeader(token)),
    claims: Object.keys(decodeJwt(token)).filter((name) => name !== 'rk'),
    others,
    formats: [iss, aud === node.id, sub === owner.uid, exp - iat, String(tid).length, rk ? String(rk).length : 43],
  })
}

/** Whole leaves, at most as many as a client asks for at a time. */
function rangeForm(range: string): string {
  if (range === 'bytes=0-0') return range
  const [start = -1, last = -1] = (/^bytes=(\d+)-(\d+)$/.exec(range)?.slice(1) ?? []).map(Number)
  const ends = [FILE_SIZE, PART_SIZE, 1000]
  const whole = start % CHUNK_SIZE === 0 && ((last + 1) % CHUNK_SIZE === 0 || ends.includes(last + 1))
  return whole && last - start < 4 * CHUNK_SIZE ? 'leaves' : range
}

/** The shapes of all requests with one token, in order; how often leaves are read depends on the number of nodes. */
function sequencesOf(requests: readonly Request[]): string[][] {
  const byToken = new Map<string, string[]>()
  for (const request of requests) {
    const token = new URL(request.url, 'http://node').searchParams.get('token') ?? ''
    const shapes = byToken.get(token) ?? []
    byToken.set(token, shapes)
    const shape = shapeOf(request)
    if (shapes.at(-1) !== shape) shapes.push(shape)
  }
  return [...byToken.values()]
}

async function download(assetCid: string, path = ''): Promise<void> {
  const answer = await storage.downloadAsset({ assetCid, to: 'blob', ...(path && { path }) })
  if (!isSuccess(answer)) throw new Error(answer.msg)
}

describe('the requests of audits', () => {
  it.each([
    ['a file of many leaves', FILE_SIZE],
    ['a file of one leaf', 1000],
  ])('of %s are those of downloads', async (_, size) => {
    const cid = await uploaded(new File([bytesOf(size)], 'the name of it.bin'))
    const downloads = sequencesOf(await requestsOf(() => download(cid)))
    const audits = sequencesOf(await requestsOf(() => audit(cid, 12)))
    expect(audits).toHaveLength(12)
    for (const sequence of audits) expect(downloads).toContainEqual(sequence)
  })

  it('of a folder are those of looking through it, and of a download of one file', async () => {
    const cid = await uploaded(join(folderOnDisk, 'a folder'))
    const visits = sequencesOf(
      await requestsOf(async () => {
        await download(cid, 'small.txt')
        await download(cid, 'below it/large one.bin')
        for (const deep of [false, true]) {
          const folder = storage.openFolder(cid)
          const top = await folder.list()
          if (!isSuccess(top)) throw new Error(top.msg)
          if (!deep) continue
          await folder.look(top.data.entries)
          const below = await folder.list('below it')
          if (isSuccess(below)) await folder.look(below.data.entries)
        }
      }),
    )
    const audits = sequencesOf(await requestsOf(() => audit(cid, 20)))
    expect(audits).toHaveLength(40)
    for (const sequence of audits) expect(visits).toContainEqual(sequence)
  })

  it('read one to four leaves at random places', async () => {
    const cid = await uploaded(new File([bytesOf(FILE_SIZE)], 'leaves'))
    const requests = await requestsOf(() => audit(cid, 30))
    const leaves = new Map<string, Set<number>>()
    for (const { url, headers } of requests) {
      const [, start = -1, last = 0] = /bytes=(\d+)-(\d+)/.exec(headers.join())?.map(Number) ?? []
      if (start < 0 || last === 0) continue
      const token = new URL(url, 'http://node').searchParams.get('token') ?? ''
      const read = leaves.get(token) ?? new Set()
      leaves.set(token, read)
      for (let at = start; at < last; at += CHUNK_SIZE) read.add(at / CHUNK_SIZE)
    }
    const counts = new Set([...leaves.values()].map(({ size }) => size))
    expect(Math.min(...counts)).toBe(1)
    expect(Math.max(...counts)).toBe(4)
    expect(new Set([...leaves.values()].flatMap((read) => [...read])).size).toBe(Math.ceil(FILE_SIZE / CHUNK_SIZE))
  })
})
