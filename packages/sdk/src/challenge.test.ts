import { afterEach, expect, it } from 'vitest'
import { isSuccess, type Result } from './result.ts'
import { someBytes, startTestEnv, type TestEnv } from './test-env.fixture.ts'

let env: TestEnv
afterEach(() => env?.close())

function ok<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

async function setup() {
  env = await startTestEnv({ nodes: 1 })
  const [node] = env.nodes
  if (!node) throw new Error('there is no node')
  const storage = env.storage()
  const folder = ok(
    await storage.uploadAsset([
      { path: 'top/a.bin', file: someBytes(700_000) },
      { path: 'top/b.txt', file: Buffer.from('b') },
    ]),
  )
  env.answers.set('challenge_replica', ({ cid, node_id }) => ({
    url: `${node.url}/ipfs/${cid}?token=down-${node.id}`,
    node_id,
    size: 700_001,
    kind: 'folder',
  }))
  return { storage, node, cid: folder.cid, blocks: node.contents.get(folder.cid)?.blocks ?? new Map() }
}

it('requests a random block and verifies every block on its path', async () => {
  const { storage, node, cid, blocks } = await setup()
  const seen = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const result = ok(await storage.challengeReplica({ cid, nodeId: node.id }))
    expect(result).toMatchObject({ verified: true, error: '', nodeId: node.id })
    expect(blocks.get(result.block)?.length).toBe(result.size)
    expect(result.position).toBeGreaterThanOrEqual(0)
    expect(result.position).toBeLessThan(1)
    seen.add(result.block)
  }
  expect(seen.size).toBeGreaterThan(1)
})

it('distinguishes wrong bytes, a missing block and no response', async () => {
  const { storage, node, cid, blocks } = await setup()
  const root = blocks.get(cid) as Uint8Array
  blocks.set(cid, someBytes(100))
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({
    verified: false,
    error: 'wrong',
  })
  blocks.set(cid, root)
  for (const name of [...blocks.keys()]) if (name !== cid) blocks.delete(name)
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({
    verified: false,
    error: 'missing',
    blocks: 2,
  })
  await node.close()
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({
    verified: false,
    error: 'unreachable',
  })
})

it('reports a failure to the server, and keeps what it saw whatever the server does with the replica', async () => {
  const { storage, node, cid, blocks } = await setup()
  env.answers.set('report_challenge', () => ({ audit: true, removed: false }))
  ok(await storage.challengeReplica({ cid, nodeId: node.id }))
  expect(env.called('report_challenge')).toEqual([])
  blocks.set(cid, someBytes(100))
  const wrong = { verified: false, error: 'wrong' }
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({ ...wrong, audit: true })
  expect(env.called('report_challenge')).toEqual([{ cid, node_id: node.id, error: 'wrong' }])
  env.answers.set('report_challenge', () => ({ audit: false, removed: true }))
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({ ...wrong, removed: true })
  env.answers.set('report_challenge', () => ({ code: -1, err: 10028, msg: 'deleted' }))
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({ ...wrong, audit: false })
})

it.each([
  [400, 'missing'],
  [404, 'missing'],
  [500, 'missing'],
  [403, 'refused'],
  [429, 'refused'],
  [503, 'refused'],
])('reads status %i of a node as %s', async (status, error) => {
  const { storage, node, cid } = await setup()
  node.knobs.failDownload = status
  expect(ok(await storage.challengeReplica({ cid, nodeId: node.id }))).toMatchObject({ verified: false, error })
})

it('returns no result for the node if the caller aborts', async () => {
  const { storage, node, cid } = await setup()
  node.knobs.frozen = true
  const stop = new AbortController()
  env.answers.set('challenge_replica', ({ node_id }) => {
    setImmediate(() => stop.abort())
    return { url: `${node.url}/ipfs/${cid}?token=down-${node.id}`, node_id, size: 1, kind: 'folder' }
  })
  const stopped = await storage.challengeReplica({ cid, nodeId: node.id, signal: stop.signal })
  expect(stopped).toMatchObject({ code: 10028, data: {} })
  expect(await storage.challengeReplica({ cid, nodeId: node.id, signal: AbortSignal.abort() })).toMatchObject({
    code: 10028,
  })
})

it('rejects an invalid CID, and passes on errors of the portal', async () => {
  const { storage, node, cid } = await setup()
  expect(await storage.challengeReplica({ cid: '', nodeId: node.id })).toMatchObject({ code: 1006 })
  expect(await storage.challengeReplica({ cid: 'rubbish', nodeId: node.id })).toMatchObject({ code: 10021 })
  env.answers.set('challenge_replica', () => ({ code: -1, err: 10025, msg: 'offline' }))
  expect(await storage.challengeReplica({ cid, nodeId: node.id })).toMatchObject({ code: -1, msg: 'offline' })
})
