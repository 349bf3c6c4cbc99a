import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { readCar } from '@tidenet/content/car'
import { COPIES_MAX, COPY_SMALL } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'

let env: TestEnv
let node: StorageNode
beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start()
})
afterAll(() => env.stop())

const stored = async (size: number) => {
  const file = await randomFile(size)
  await upload(env, node, file.bytes)
  return file
}
const copyToken = (cid: string, of = node.id, sub = 'c_asks') =>
  env.server.downloadToken(of, cid, { typ: 'pull', sub, tid: '' })
const ask = (body: unknown) => fetch(`${node.url}/copies`, { method: 'POST', body: JSON.stringify(body) })
const blocksOf = async (answer: Response) => {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const all = new Map<string, Uint8Array>()
  const source = (async function* () {
    yield bytes
  })()
  for await (const block of readCar(source).blocks) all.set(block.cid.toString(), block.bytes)
  return all
}

describe('copies for another node', () => {
  it('are many small files in one archive', async () => {
    const files = [await stored(1), await stored(16_384), await stored(COPY_SMALL)]
    const answer = await ask({ tokens: await Promise.all(files.map(({ cid }) => copyToken(cid))) })
    expect(answer.headers.get('content-type')).toContain('application/vnd.ipld.car')
    const blocks = await blocksOf(answer)
    expect([...blocks.keys()]).toEqual(files.map(({ cid }) => cid))
    for (const { cid, bytes } of files) expect(Buffer.from(blocks.get(cid) ?? []).equals(bytes)).toBe(true)
  })

  it('leave out what is not here and what is too large', async () => {
    const [here, away, large] = [await stored(1000), await randomFile(1000), await stored(COPY_SMALL + 1)]
    const tokens = await Promise.all([away, here, large].map(({ cid }) => copyToken(cid)))
    expect([...(await blocksOf(await ask({ tokens }))).keys()]).toEqual([here.cid])
    expect((await blocksOf(await ask({ tokens: [await copyToken(away.cid)] }))).size).toBe(0)
    const [again = ''] = tokens.slice(1)
    const twice = await ask({ tokens: [again, again] })
    expect(Number(twice.headers.get('content-length'))).toBeLessThan(2000)
  })

  it('are refused without valid tokens, and with those of downloads or of another node', async () => {
    const { cid } = await stored(1000)
    const good = await copyToken(cid)
    expect((await ask({ tokens: [] })).status).toBe(400)
    expect((await ask({})).status).toBe(400)
    expect((await ask({ tokens: Array.from({ length: COPIES_MAX + 1 }, () => good) })).status).toBe(400)
    expect((await ask({ tokens: [good, `${good}x`] })).status).toBe(401)
    expect((await ask({ tokens: [await env.server.downloadToken(node.id, cid)] })).status).toBe(403)
    expect((await ask({ tokens: [await copyToken(cid, 'c_other')] })).status).toBe(403)
    expect((await ask({ tokens: [good, await copyToken(cid, node.id, 'c_second')] })).status).toBe(403)
    const large = JSON.stringify({ tokens: [good], more: randomBytes(400_000).toString('hex') })
    expect((await fetch(`${node.url}/copies`, { method: 'POST', body: large })).status).toBe(413)
  })

  it('are refused to strangers before the whole request has arrived', async () => {
    const { cid } = await stored(1000)
    const statusOf = (beginning: string) =>
      new Promise<number>((resolve, reject) => {
        const asked = request(`${node.url}/copies`, { method: 'POST', headers: { 'content-length': 200_000 } })
        asked.on('error', reject)
        asked.on('response', ({ statusCode = 0 }) => {
          resolve(statusCode)
          asked.destroy()
        })
        asked.write(beginning.padEnd(10_000))
      })
    expect(await statusOf('{"tokens":["x"')).toBe(401)
    expect(await statusOf(`{"tokens":["${await copyToken(cid, 'c_other')}"`)).toBe(403)
    expect(await statusOf('')).toBe(400)
    expect(await statusOf(`{"tokens":["${'x'.repeat(8000)}"`)).toBe(400)
    // The rest may come later.
    const body = JSON.stringify({ tokens: [await copyToken(cid)] }).padEnd(10_000)
    const slowly = Readable.from([body.slice(0, 9000), body.slice(9000)].map((part) => Buffer.from(part)))
    const answer = await fetch(`${node.url}/copies`, {
      method: 'POST',
      body: Readable.toWeb(slowly),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(200)
  })

  it('are refused to a node that takes none of its answers, and not to others', async () => {
    let begun = 0
    let heard = () => {}
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const slow = await env.start({
      wrapOutgoing: (out) => ({
        async write(bytes) {
          begun += 1
          heard()
          await opened
          return out.write(bytes)
        },
      }),
    })
    const file = await randomFile(1000)
    await upload(env, slow, file.bytes)
    const askAs = async (sub: string) => {
      const tokens = [await copyToken(file.cid, slow.id, sub)]
      return fetch(`${slow.url}/copies`, { method: 'POST', body: JSON.stringify({ tokens }) })
    }
    const waiting = Array.from({ length: 5 }, () => askAs('c_stands'))
    const untilBegun = (count: number) =>
      new Promise<void>((resolve) => {
        heard = () => begun === count && resolve()
        heard()
      })
    await untilBegun(5)
    expect((await askAs('c_stands')).status).toBe(503)
    waiting.push(askAs('c_other'))
    await untilBegun(6)
    open()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    expect((await askAs('c_stands')).status).toBe(200)
  })
})
