import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { parseCid } from '@tidenet/content'
import { type DownloadClaims, errors } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { blockedKey } from '../blocked-contents.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'

/** More than the buffers of a connection hold. */
const LARGE = 24 * 1024 * 1024

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterEach(() => {
  env.server.blocked = []
  env.server.blockedMore = false
})
afterAll(() => env.stop())

const keyOf = (cid: string) => blockedKey(parseCid(cid))
/** The node has heard the list up to an id; others of the same server may hear it earlier. */
const heard = (node: StorageNode, id: number) =>
  env.server.until(() =>
    env.server.calls.some(
      (call) => call.operation === 'heartbeat' && call.node === node.id && call.body.blocked === id,
    ),
  )

async function ask(node: StorageNode, cid: string, claims: Partial<DownloadClaims> = {}) {
  const token = await env.server.downloadToken(node.id, cid, claims)
  const answer = await fetch(`${node.url}/ipfs/${cid}?token=${token}`)
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, body }
}

/** A download that has begun and whose reader has stopped. @returns reads the rest: whether it is whole */
async function begin(node: StorageNode, cid: string) {
  const token = await env.server.downloadToken(node.id, cid)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${node.url}/ipfs/${cid}?token=${token}`, { agent: false }, resolve).on('error', reject).end()
  })
  answer.on('error', () => {})
  const closed = new Promise<void>((resolve) => void answer.once('close', resolve))
  answer.pause()
  return async () => {
    answer.resume()
    await closed
    return answer.complete
  }
}

describe('a content that is blocked', () => {
  it('is refused to everyone, its owner and copies too, and its running downloads end; others go on', async () => {
    const node = await env.start()
    const [bad, good] = [await randomFile(LARGE), await randomFile(LARGE)]
    for (const { bytes } of [bad, good]) await upload(env, node, bytes)
    const [ending, going] = [await begin(node, bad.cid), await begin(node, good.cid)]
    env.server.blocked = [{ id: 5, key: keyOf(bad.cid), blocked: true }]
    await heard(node, 5)
    expect([await ending(), await going()]).toEqual([false, true])
    for (const claims of [{}, { share: bad.cid }, { typ: 'pull' as const }]) {
      const { status, body } = await ask(node, bad.cid, claims)
      expect(status).toBe(451)
      expect(JSON.parse(body.toString())).toMatchObject({ code: -1, err: errors.contentBlocked.err })
    }
    expect((await ask(node, good.cid)).status).toBe(200)
  })

  it('is served again when the block is lifted', async () => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(env, node, bytes)
    env.server.blocked = [{ id: 6, key: keyOf(cid), blocked: true }]
    await heard(node, 6)
    expect((await ask(node, cid)).status).toBe(451)
    env.server.blocked = [{ id: 7, key: keyOf(cid), blocked: false }]
    await heard(node, 7)
    expect((await ask(node, cid)).status).toBe(200)
  })

  it('stays blocked on a node that starts while the server is away', async () => {
    const data = await env.folder()
    const before = await env.start({ data })
    const { bytes, cid } = await randomFile(1000)
    await upload(env, before, bytes)
    env.server.blocked = [{ id: 8, key: keyOf(cid), blocked: true }]
    await heard(before, 8)
    await before.stop()
    let release = () => {}
    env.server.held = new Promise((resolve) => {
      release = resolve
    })
    const node = await env.start({ data })
    expect((await ask(node, cid)).status).toBe(451)
    release()
    env.server.held = undefined
  })

  it('a node serves no shares until it has heard the whole list, also after its file was damaged', async () => {
    const data = await env.folder()
    const before = await env.start({ data })
    const { bytes, cid } = await randomFile(1000)
    await upload(env, before, bytes)
    await before.stop()
    await writeFile(join(data, 'blocked.json'), '{"last": 3, "ke')
    env.server.blockedMore = true
    const node = await env.start({ data })
    await heard(node, 0)
    expect([(await ask(node, cid, { share: cid })).status, (await ask(node, cid)).status]).toEqual([503, 200])
    env.server.blockedMore = false
    await expect.poll(async () => (await ask(node, cid, { share: cid })).status, { timeout: 5000 }).toBe(200)
  })
})
