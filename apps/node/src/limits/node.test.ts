import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'
import { NO_LIMITS, writeLimits } from './limits.ts'

/** Limits as clients and the server notice them. */

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

async function download(node: StorageNode, cid: string): Promise<{ status: number; bytes: number }> {
  const token = await env.server.downloadToken(node.id, cid)
  const answer = await fetch(`${node.url}/ipfs/${cid}?token=${token}`)
  const bytes = await answer.arrayBuffer().catch(() => new ArrayBuffer(0))
  return { status: answer.status, bytes: bytes.byteLength }
}
const heartbeats = (node: StorageNode) =>
  env.server.calls.filter(({ operation, node: from }) => operation === 'heartbeat' && from === node.id)

describe('a paused node', () => {
  it('refuses transfers, proves who it is, and sends no heartbeats until it continues', async () => {
    const data = await env.folder()
    const { bytes, cid } = await randomFile(100_000)
    const before = await env.start({ data })
    await upload(env, before, bytes)
    await before.stop()
    await writeLimits(data, { ...NO_LIMITS, paused: true })
    const known = heartbeats(before).length
    const node = await env.start({ data })
    expect((await download(node, cid)).status).toBe(503)
    expect((await upload(env, node, bytes)).status).toBe(503)
    expect((await fetch(`${node.url}/health?nonce=x`)).status).toBe(200)
    expect((await fetch(`${node.url}/metrics`)).status).toBe(200)
    expect(heartbeats(node).length).toBe(known)
    await writeLimits(data, NO_LIMITS)
    await env.server.until(() => heartbeats(node).length > known)
    expect(await download(node, cid)).toEqual({ status: 200, bytes: 100_000 })
  })
})

describe('limits of space and traffic', () => {
  it('are what the server is told and uploads are held to', async () => {
    const data = await env.folder()
    await writeLimits(data, { ...NO_LIMITS, space: 500_000 })
    const node = await env.start({ data })
    await env.server.until(() => heartbeats(node).length > 0)
    expect(heartbeats(node)[0]?.body.stats).toMatchObject({ capacity: 500_000 })
    expect((await upload(env, node, (await randomFile(600_000)).bytes)).status).toBe(503)
    expect((await upload(env, node, (await randomFile(100_000)).bytes)).status).toBe(200)
  })

  it('end a download that exceeds the month, and refuse the next one', async () => {
    const data = await env.folder()
    const { bytes, cid } = await randomFile(8 << 20)
    await writeLimits(data, { ...NO_LIMITS, monthly: 3 << 20 })
    const node = await env.start({ data })
    await upload(env, node, bytes)
    expect((await download(node, cid)).bytes).toBeLessThan(8 << 20)
    expect((await download(node, cid)).status).toBe(503)
  })
})

it('a node whose limits are damaged does not start', async () => {
  const data = await env.folder()
  await writeLimits(data, { ...NO_LIMITS, monthly: -1 })
  await expect(env.start({ data })).rejects.toThrow(/limits\.json/)
})
