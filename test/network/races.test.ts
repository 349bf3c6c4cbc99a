import { randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { send, signUp, type UploadInfo, until } from './wire-client.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 3 })
})
afterAll(() => network?.stop())

/** `npm run test:long` repeats this more often. */
const long = process.env.TIDENET_TEST_LONG === 'yes'
/** Every delay between the calls occurs at least twice. */
const ROUNDS = long ? 100 : 40
const REQUESTS = long ? 100 : 40
const random = (size: number) => new Uint8Array(randomBytes(size))

describe('content that two accounts have', () => {
  it('survives if one deletes it while the other uploads it', { tags: ['long'] }, async () => {
    const [one, two] = [await signUp(network.url), await signUp(network.url)]
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const race = async (round: number) => {
      const bytes = random(2000 + round)
      const { cid, node } = await one.upload(bytes, 'shared.bin')
      const slot = (await two.get<UploadInfo>('/api/v1/storage/get_upload_info')).data.List.find(
        ({ NodeID }) => NodeID === node,
      )
      // The removal reaches the node before, with or after the bytes.
      const [, sent] = await Promise.all([
        one.get('/api/v1/storage/delete_asset', { asset_cid: cid }),
        wait((round % 20) * 2).then(() => send(slot, bytes)),
      ])
      const create = { asset_name: 'mine', asset_type: 'file', asset_size: 1, asset_cid: cid, receipt: sent.receipt }
      expect(await two.post('/api/v1/storage/create_asset', create)).toMatchObject({ code: 0 })
      return { cid, bytes }
    }
    const kept: { cid: string; bytes: Uint8Array }[] = []
    for (let round = 0; round < ROUNDS / 10; round++)
      kept.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => race(round * 10 + index)))))
    for (const { cid, bytes } of kept)
      await until(async () => Buffer.from(await two.download(cid)).equals(bytes), 30_000)
    // Also after all nodes have processed their tasks.
    await until(async () => {
      const { data } = await two.get<{ titan_count: number; wanted_count: number }>(
        '/api/v1/storage/get_asset_detail',
        {
          cid: kept.at(-1)?.cid ?? '',
        },
      )
      return data.titan_count === network.nodes.length
    })
    for (const { cid, bytes } of kept) expect(Buffer.from(await two.download(cid)).equals(bytes)).toBe(true)
  })
})

describe('many concurrent requests', () => {
  it('keep counts and quota of one account correct', async () => {
    const person = await signUp(network.url)
    const contents = Array.from({ length: REQUESTS }, (_, index) => random(1000 + index))
    const sent = await Promise.all(contents.map((bytes, index) => person.upload(bytes, `f${index}`)))
    expect(await person.list()).toHaveLength(REQUESTS)
    await Promise.all([
      ...sent.slice(0, REQUESTS / 2).map(({ cid }) => person.get('/api/v1/storage/delete_asset', { asset_cid: cid })),
      ...sent.slice(REQUESTS / 2).map(({ cid }) => person.download(cid)),
    ])
    const left = await person.list()
    expect(left.map(({ cid }) => cid).sort()).toEqual(
      sent
        .slice(REQUESTS / 2)
        .map(({ cid }) => cid)
        .sort(),
    )
    const { data } = await person.get<{ UsedSize: number }>('/api/v1/storage/get_storage_size')
    expect(data.UsedSize).toBe(left.reduce((sum, { size }) => sum + size, 0))
  })
})
