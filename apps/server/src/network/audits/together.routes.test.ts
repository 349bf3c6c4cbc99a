import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { carFrame, carHeader } from '@tidenet/content/car'
import { type Cid, rawCid } from '@tidenet/content/cid'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sendHeartbeat } from '../control/sample-registration.fixture.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { timesOf } from '../nodes/times.ts'
import { runServerAudits } from './server-audits.ts'

/** Many fresh, small copies of a node are audited with one request, the same as a node that copies them. */

type Node = Awaited<ReturnType<TestEnv['node']>>
interface File {
  cid: Cid
  bytes: Uint8Array
}

let env: TestEnv
let edge: Node
/** Passes half of the audits on. `passedOn`: contents of each request for copies. */
let candidate: Node
let passedOn: number[]
let files: File[]
const servers: Server[] = []
beforeEach(async () => {
  env = await setup()
  passedOn = []
  candidate = await env.node({ kind: 'candidate', url: await listen(passOn) })
  await env.db.run(sql`update nodes set relays = true where id = ${candidate.id}`)
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  await env.close()
})

type Listener = (request: IncomingMessage, answer: ServerResponse) => unknown
async function listen(listener: Listener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What the edge was asked for: contents of each request for copies, and of downloads. */
let asked: { copies: string[][]; downloads: Set<string>; claims: ReturnType<typeof decodeJwt>[] }

const read = async (request: IncomingMessage) => JSON.parse(Buffer.concat(await request.toArray()).toString())
const fileOf = (cid: unknown) => files.find((file) => file.cid.toString() === cid)
const archive = (list: readonly File[]) =>
  Buffer.concat([carHeader(list[0] ? [list[0].cid] : []), ...list.map((file) => carFrame(file))])

/** What a node does that passes requests on. */
async function passOn(request: IncomingMessage, answer: ServerResponse) {
  const address = request.url ?? ''
  const claims = decodeJwt(new URL(address, 'http://a').searchParams.get('token') ?? '')
  expect(claims).toMatchObject({ typ: 'via', aud: candidate.id, node: edge.id })
  const isForCopies = request.method === 'POST'
  expect(claims.cid === 'copies').toBe(isForCopies)
  const path = address.replace('/via/', isForCopies ? '/' : '/ipfs/').replace(/\?token=[^&]*&?/, '?')
  const body = isForCopies ? await read(request) : undefined
  if (body) passedOn.push(body.tokens.length)
  const from = await fetch(`${claims.origin}${path.replace(/\?$/, '')}`, {
    headers: request.headers.range ? { range: request.headers.range } : {},
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  }).catch(() => undefined)
  if (!from) return answer.destroy()
  answer.writeHead(from.status, { 'content-range': from.headers.get('content-range') ?? '' })
  return answer.end(Buffer.from(await from.arrayBuffer().catch(() => new ArrayBuffer(0))))
}

/** An edge that stores `count` fresh copies. @param copies what it sends of those that it is asked for; undefined: it is old */
async function start(
  count: number,
  copies: ((wanted: File[], answer: ServerResponse) => unknown) | undefined,
  download: (file: File) => Uint8Array | Promise<Uint8Array> = ({ bytes }) => bytes,
  size = 1000,
) {
  asked = { copies: [], downloads: new Set(), claims: [] }
  const url = await listen(async (request, answer) => {
    if (request.method === 'POST' && copies && request.url === '/copies') {
      const claims = ((await read(request)).tokens as string[]).map((token) => decodeJwt(token))
      asked.claims.push(...claims)
      asked.copies.push(claims.map(({ cid }) => String(cid)))
      return copies(
        claims.map(({ cid }) => fileOf(cid) as File),
        answer,
      )
    }
    const file = fileOf(/^\/ipfs\/(\w+)/.exec(request.url ?? '')?.[1])
    if (!file) return answer.writeHead(404).end()
    asked.downloads.add(file.cid.toString())
    const bytes = await download(file)
    const [first = 0, last = bytes.length - 1] = request.headers.range?.slice(6).split('-').map(Number) ?? []
    answer.writeHead(206, { 'content-range': `bytes ${first}-${last}/${bytes.length}` })
    return answer.end(bytes.subarray(first, last + 1))
  })
  edge = await env.node({ kind: 'edge', url })
  files = await Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = randomBytes(size)
      return { bytes, cid: await rawCid(bytes) }
    }),
  )
  const at = new Date(env.clock.now())
  for (const { cid } of files) {
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid.toString()}, '', 'file', ${size}, 1, ${at})`)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, pulled, changed_at) values (${cid.toString()}, ${edge.id}, 'unverified', true, ${at})`)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid.toString()}, ${candidate.id}, 'stored', ${at})`)
  }
}
const send = (list: readonly File[], answer: ServerResponse) => answer.end(archive(list))
const wrong = (file: File): File => ({ cid: file.cid, bytes: randomBytes(file.bytes.length) })

/** How many copies of the edge count, and how many failed an audit. */
const copiesNow = async () =>
  env.db.one<{ stored: number; suspect: number }>(sql`
    select count(*) filter (where state = 'stored')::int as stored, count(*) filter (where suspect)::int as suspect
    from replicas where node_id = ${edge.id}`)

describe('fresh small copies of a node', () => {
  it('are audited together, each by all of its bytes, and one of each request as by a client', async () => {
    await start(40, send)
    await runServerAudits(env.context)
    expect(await copiesNow()).toEqual({ stored: 40, suspect: 0 })
    // Half of them through another node.
    expect(asked.copies).toHaveLength(2)
    expect(asked.downloads.size).toBe(2)
    expect(new Set([...asked.copies.flat(), ...asked.downloads]).size).toBe(40)
    expect(await env.db.rows(sql`select distinct state, error, counted from audits`)).toEqual([
      { state: 'passed', error: '', counted: false },
    ])
  })

  it('are requested in the same way as by a node that copies them', async () => {
    await start(10, send)
    await runServerAudits(env.context)
    expect(asked.claims.length).toBeGreaterThan(5)
    for (const claims of asked.claims)
      expect(claims).toMatchObject({ typ: 'pull', aud: edge.id, sub: `node:${candidate.id}`, tid: '' })
  })

  it('are requested through one other node at a time, or directly', async () => {
    await start(64, send)
    await runServerAudits(env.context)
    expect(await copiesNow()).toEqual({ stored: 64, suspect: 0 })
    expect(asked.copies).toHaveLength(2)
    expect(passedOn).toHaveLength(1)
  })

  it('that are larger or suspect are audited alone', async () => {
    await start(3, send, undefined, 64 * 1024)
    await runServerAudits(env.context)
    expect([await copiesNow(), asked.copies]).toEqual([{ stored: 3, suspect: 0 }, []])
    await start(5, send)
    await env.db.run(sql`update replicas set suspect = true, suspected_by = 'other' where node_id = ${edge.id}`)
    await runServerAudits(env.context)
    expect([await copiesNow(), asked.copies]).toEqual([{ stored: 5, suspect: 0 }, []])
  })

  it('do not wait for other copies, of nodes that have many', async () => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const others: File[] = []
    for (let node = 0; node < 4; node++) {
      await start(70, send, ({ bytes }) => begun.then(() => bytes), 64 * 1024)
      others.push(...files)
    }
    await env.db.run(sql`update nodes set relays = false where id = ${candidate.id}`)
    await start(10, send, ({ bytes }) => {
      begin()
      return bytes
    })
    files.push(...others)
    await runServerAudits(env.context)
    expect(await env.db.rows(sql`select distinct state from audits`)).toEqual([{ state: 'passed' }])
  })

  it.each([
    ['of an earlier release, which knows no such request', undefined],
    ['that never answers it', () => {}],
    ['that is busy', (_: File[], answer: ServerResponse) => answer.writeHead(503).end()],
    ['that sends a part', (list: File[], answer: ServerResponse) => send(list.slice(0, 5), answer)],
    [
      'that closes the connection',
      (list: File[], answer: ServerResponse) => {
        answer.writeHead(200, { 'content-length': 1e5 })
        answer.write(archive(list.slice(0, 3)))
        setImmediate(() => answer.destroy())
      },
    ],
  ])('on a node %s are audited one by one', async (_, copies) => {
    await start(30, copies)
    await runServerAudits(env.context)
    expect(await copiesNow()).toEqual({ stored: 30, suspect: 0 })
    expect(asked.copies.length).toBeLessThanOrEqual(2)
  })
})

describe('a node that lacks its fresh copies', () => {
  const lacks = () => randomBytes(1000)
  it.each<[string, (list: File[], answer: ServerResponse) => unknown]>([
    ['sends other bytes', (list, answer) => send(list.map(wrong), answer)],
    [
      'sends bytes of another content',
      async (list, answer) => {
        const bytes = randomBytes(1000)
        const other = { bytes, cid: await rawCid(bytes) }
        send(
          list.map(() => other),
          answer,
        )
      },
    ],
    [
      'sends one content for all',
      (list, answer) =>
        send(
          list.map(() => list[0] as File),
          answer,
        ),
    ],
    ['sends nothing', (_, answer) => send([], answer)],
    ['sends no archive', (_, answer) => answer.end(randomBytes(5000))],
    ['sends more than it was asked for', (_, answer) => answer.end(randomBytes(1e6))],
  ])('and %s does not get them counted', async (name, copies) => {
    await start(20, copies, lacks)
    await runServerAudits(env.context)
    const { stored, suspect } = await copiesNow()
    expect(stored).toBeLessThanOrEqual(name === 'sends one content for all' ? 2 : 0)
    expect(suspect).toBeGreaterThan(0)
    // Confirmed by a second audit, they are lost, and the failure counts.
    for (let time = 0; time < 3; time++) {
      env.pass(timesOf({ pace: 'quick' }).auditAgain + 1)
      await sendHeartbeat(env, edge)
      await runServerAudits(env.context)
    }
    expect(await env.db.one(sql`select 0 = any(audits) as failed from nodes where id = ${edge.id}`)).toEqual({
      failed: true,
    })
  })

  it('and sends the right ones first gets only these counted', async () => {
    const right: File[] = []
    await start(
      20,
      (list, answer) => {
        right.push(...list.slice(0, 3))
        send([...list.slice(0, 3), ...list.slice(3).map(wrong)], answer)
      },
      lacks,
    )
    await runServerAudits(env.context)
    const stored = await env.db.rows<{ cid: string }>(
      sql`select cid from replicas where node_id = ${edge.id} and state = 'stored'`,
    )
    expect(stored.map(({ cid }) => cid).sort()).toEqual(right.map(({ cid }) => cid.toString()).sort())
  })

  it('for clients, but gives them to other nodes, is found by the copies that are audited as by a client', async () => {
    await start(40, send, lacks)
    await runServerAudits(env.context)
    expect((await copiesNow()).suspect).toBe(2)
  })
})

describe('a node that says during an audit that its copies are missing', () => {
  it('passes nothing that counts, so that it cannot hide other failures', async () => {
    const own = async () => ({ token: await nodeToken(env.context, edge.id) })
    const report = async (state: 'missing' | 'stored', list: readonly File[]) =>
      env.call(
        'nodeControl.replicas',
        { results: list.map(({ cid, bytes }) => ({ cid: cid.toString(), state, size: bytes.length })) },
        await own(),
      )
    await start(
      20,
      async (list, answer) => {
        await report('missing', list)
        send(list, answer)
      },
      async (file) => {
        await report('missing', [file])
        return file.bytes
      },
    )
    for (let time = 0; time < 3; time++) {
      await runServerAudits(env.context)
      await report('stored', files)
      env.pass(timesOf({ pace: 'quick' }).auditAgain + 1)
      await sendHeartbeat(env, edge)
    }
    expect(
      await env.db.one(
        sql`select audits, audit_good::int as good, audits_passed::int as passed from nodes where id = ${edge.id}`,
      ),
    ).toEqual({
      audits: [],
      good: 0,
      passed: 0,
    })
  })
})
