import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { carFrame, carHeader } from '@tidenet/content/car'
import { multihashHex, rawCid } from '@tidenet/content/cid'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleClusters, sampleTenant } from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { createProofRequest } from '../../apps/server/src/storage/uploads/proofs.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { hostileNode } from './hostile-node.ts'

/** Hostile answers of nodes to the server. Each test counts the bytes that the server reads. */

let env: TestEnv
let outside: TestEnv
beforeAll(async () => {
  env = await setup()
  sampleClusters(env)
  outside = await setup({ privateNodes: false })
})
afterAll(() => Promise.all([env.close(), outside.close()]))

const MANY = 20_000_000

/** An endless archive of different, valid blocks. */
const endlessArchive: RequestListener = async (_, answer) => {
  const root = await rawCid(randomBytes(8))
  answer.write(carHeader([root]))
  while (!answer.destroyed) {
    const bytes = randomBytes(500_000)
    if (!answer.write(carFrame({ cid: await rawCid(bytes), bytes })))
      await new Promise((on) => answer.once('drain', on).once('close', on))
  }
}
const endlessBytes: RequestListener = (_, answer) => {
  const more = () => {
    while (!answer.destroyed && answer.write(Buffer.alloc(500_000)));
  }
  answer.on('drain', more)
  more()
}
const elsewhere =
  (url: string): RequestListener =>
  (_, answer) =>
    void answer.writeHead(302, { location: url }).end()

/** An invited node with any answer, and a count of the bytes it has sent. */
async function liar(at: TestEnv, listener: RequestListener) {
  const sent = { bytes: 0, requests: 0 }
  const node = await hostileNode(at, { kind: 'candidate', join_token: 'join' })
  const url = await node.listen((request, answer) => {
    if (request.url?.startsWith('/health')) return false
    sent.requests += 1
    request.socket.on('close', () => (sent.bytes += request.socket.bytesWritten))
    answer.on('error', () => {})
    listener(request, answer)
    return true
  })
  await at.db.run(sql`update nodes set reachable = true where id = ${node.id}`)
  return { ...node, url, sent }
}
type Liar = Awaited<ReturnType<typeof liar>>

describe('a proof of possession', () => {
  async function prove(at: TestEnv, nodes: Liar[]) {
    const content = await rawCid(randomBytes(20))
    const cid = content.toString()
    const size = 600_000
    await at.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at)
      values (${cid}, ${multihashHex(content)}, 'file', ${size}, 1, ${new Date()})`)
    for (const node of nodes)
      await at.db.run(sql`
        insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${new Date()})`)
    const person = await at.person()
    const caller = { kind: 'member', userId: person.id, uid: person.uid } as Parameters<typeof createProofRequest>[1]
    const { id } = await createProofRequest(at.context, caller, { cid, size })
    return at.call('uploads.prove', { id, cid, sha256: '0'.repeat(64) }, person)
  }

  it.each([
    ['an archive without an end', endlessArchive],
    ['bytes without an end', endlessBytes],
  ])('is checked against a node that answers %s', async (_, listener) => {
    const node = await liar(env, listener)
    expect(await prove(env, [node])).toMatchObject({ code: -1, err: errors.proofFailed.err })
    expect(node.sent.requests).toBeGreaterThan(0)
    await node.close()
    expect(node.sent.bytes).toBeLessThan(MANY)
  })

  it('does not follow a redirect of a node', async () => {
    const inside = await liar(env, endlessBytes)
    const node = await liar(env, elsewhere(inside.url))
    expect(await prove(env, [node])).toMatchObject({ code: -1, err: errors.proofFailed.err })
    expect(inside.sent.requests).toBe(0)
    await Promise.all([inside.close(), node.close()])
  })

  it('does not connect to a node whose name later resolves to a private address', async () => {
    const node = await liar(outside, endlessBytes)
    await outside.db.run(sql`
      update nodes set url = ${node.url.replace('127.0.0.1', 'localhost')}, reachable = true where id = ${node.id}`)
    expect(await prove(outside, [node])).toMatchObject({ code: -1, err: errors.proofFailed.err })
    expect(node.sent.requests).toBe(0)
    await node.close()
  })
})

describe('a folder copied into a workload', () => {
  async function copy(kind: 'file' | 'folder', node: Liar) {
    const tenant = await sampleTenant(env)
    const { token } = tenant.person
    const folder = await env.call('folders.create', { name: randomUUID(), parent: 0 }, { token })
    const group_id = folder.data.group.ID
    const key = await env.call('apiKeys.create', { key_name: randomUUID(), group_id }, { token })
    await sampleFile(env.db, tenant.person.id, { folder: group_id, kind, size: 1000, nodes: [node], at: new Date() })
    return env.call('clusters.copyIn', { id: tenant.machine, key: key.data.key }, tenant)
  }

  it.each([
    ['file', endlessBytes],
    ['folder', endlessArchive],
  ] as const)('reads no more than its size from a %s', async (kind, listener) => {
    const node = await liar(env, listener)
    expect(await copy(kind, node)).toMatchObject({ code: -1, err: errors.nodesOffline.err })
    expect(node.sent.requests).toBeGreaterThan(0)
    await node.close()
    expect(node.sent.bytes).toBeLessThan(MANY)
  })
})
