import { type IncomingMessage, request } from 'node:http'
import { type DownloadClaims, WHOLE_ACCOUNT } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { endedKey } from '../ended-shares.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'

/** More than the buffers of a connection hold. */
const LARGE = 24 * 1024 * 1024

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

/** A download that has begun and whose reader has stopped. `rest` reads the rest. @returns the bytes, and whether they were all */
async function begin(node: StorageNode, cid: string, claims: Partial<DownloadClaims>) {
  const token = await env.server.downloadToken(node.id, cid, claims)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${node.url}/ipfs/${cid}?token=${token}`, { agent: false }, resolve).on('error', reject).end()
  })
  let bytes = 0
  answer.on('error', () => {})
  const closed = new Promise<void>((resolve) => void answer.once('close', resolve))
  answer.pause()
  return {
    async rest() {
      answer.on('data', (part: Buffer) => {
        bytes += part.length
      })
      answer.resume()
      await closed
      return { bytes, whole: answer.complete }
    },
  }
}

describe('a share that ends', () => {
  it('ends its running downloads, however slowly they are read, and no others', async () => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(LARGE)
    await upload(env, node, bytes)
    const running = (claims: Partial<DownloadClaims>) => begin(node, cid, { sub: 'owner', ...claims })
    const ending = [await running({ share: cid, ended: 1 }), await running({ share: '12' })]
    const going = [
      await running({}),
      await running({ share: cid, ended: 4 }),
      await running({ sub: 'other', share: cid }),
    ]
    env.server.ended = [
      { id: 3, key: endedKey('owner', cid) },
      { id: 4, key: endedKey('owner', '12') },
    ]
    const last = () => env.server.of('heartbeat').some((beat) => beat.ended === 4)
    await env.server.until(last)
    for (const { rest } of ending) {
      const { bytes, whole } = await rest()
      expect(whole).toBe(false)
      expect(bytes).toBeLessThan(LARGE)
    }
    for (const { rest } of going) expect(await rest()).toEqual({ bytes: LARGE, whole: true })
    env.server.ended = []
  })

  it('stays ended on a node that was stopped meanwhile: it serves no shares until it knows which have ended', async () => {
    const data = await env.folder()
    const before = await env.start({ data })
    const { bytes, cid } = await randomFile(1000)
    await upload(env, before, bytes)
    await before.stop()

    env.server.ended = [{ id: 9, key: endedKey('owner', cid) }]
    env.server.endedMore = true
    let release = () => {}
    env.server.held = new Promise((resolve) => {
      release = resolve
    })
    const node = await env.start({ data })
    const status = async (claims: Partial<DownloadClaims>) => {
      const token = await env.server.downloadToken(node.id, cid, { sub: 'owner', ...claims })
      const answer = await fetch(`${node.url}/ipfs/${cid}?token=${token}`)
      await answer.arrayBuffer()
      return answer.status
    }
    const [ended, going, own] = [{ share: cid, ended: 8 }, { share: cid, ended: 9 }, {}]
    expect([await status(ended), await status(going), await status(own)]).toEqual([503, 503, 200])
    release()
    env.server.held = undefined
    await expect.poll(() => env.server.of('heartbeat').some((beat) => beat.ended === 9)).toBe(true)
    expect(await status(going)).toBe(503)
    env.server.endedMore = false
    await expect.poll(() => status(going), { timeout: 5000 }).toBe(200)
    expect([await status(ended), await status(own)]).toEqual([401, 200])
    env.server.ended = []
  })
})

describe('an account that ends', () => {
  it('ends every download and upload of tokens from before, running ones too, and none of other accounts', async () => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(LARGE)
    await upload(env, node, bytes)
    const running = (claims: Partial<DownloadClaims>) => begin(node, cid, { sub: 'leaving', ...claims })
    const ending = [await running({ ended: 20 }), await running({}), await running({ share: cid, ended: 20 })]
    const going = [await running({ ended: 21 }), await running({ sub: 'staying', ended: 20 })]
    env.server.ended = [{ id: 21, key: endedKey('leaving', WHOLE_ACCOUNT) }]
    await env.server.until(() => env.server.of('heartbeat').some((beat) => beat.ended === 21))
    for (const { rest } of ending) expect((await rest()).whole).toBe(false)
    for (const { rest } of going) expect(await rest()).toEqual({ bytes: LARGE, whole: true })

    const send = async (claims: { sub: string; ended?: number }) =>
      (await upload(env, node, Buffer.from('some'), claims)).status
    expect(await send({ sub: 'leaving', ended: 21 })).toBe(200)
    expect([await send({ sub: 'leaving', ended: 20 }), await send({ sub: 'leaving' })]).toEqual([401, 401])
    env.server.ended = []
  })
})
