import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createWorld, randomFile, upload, type World } from '../world.ts'

let world: World
let node: StorageNode
let file: { bytes: Buffer; cid: string }
let get: (path: string, init?: RequestInit & { as?: string }) => Promise<Response>

beforeAll(async () => {
  world = await createWorld()
  node = await world.start()
  file = await randomFile(3_000_000)
  await upload(world, node, file.bytes)
  get = async (path, { as = file.cid, ...init } = {}) => {
    const token = await world.server.downloadToken(node.id, as)
    const { headers, ...rest } = init
    return fetch(node.url + path, {
      redirect: 'manual',
      ...rest,
      headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
    })
  }
})
afterAll(() => world.stop())

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('a file', () => {
  it('comes whole', async () => {
    const answer = await get(`/ipfs/${file.cid}`)
    expect(answer.status).toBe(200)
    expect((await bytesOf(answer)).equals(file.bytes)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': '3000000',
      'accept-ranges': 'bytes',
      etag: `"${file.cid}"`,
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    })
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=1048570-2097160', 1_048_570, 2_097_161],
    ['bytes=-5', 2_999_995, 3_000_000],
  ])('comes in the range %s', async (range, start, end) => {
    const answer = await get(`/ipfs/${file.cid}`, { headers: { range } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/3000000`)
    expect((await bytesOf(answer)).equals(file.bytes.subarray(start, end))).toBe(true)
  })
})
