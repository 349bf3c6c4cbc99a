import { createHash, randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until, type WireClient, wireClient } from './wire-client.ts'

let network: Network
let person: WireClient
beforeAll(async () => {
  network = await startNetwork()
  person = await signUp(network.url)
})
afterAll(() => network?.stop())

const random = (size: number) => new Uint8Array(randomBytes(size))
const detail = async (client: WireClient, cid: string) =>
  (
    await client.get<{ titan_count: number; wanted_count: number; list: { area_id: string }[] }>(
      '/api/v1/storage/get_asset_detail',
      { cid },
    )
  ).data
const stat = async (client: WireClient) =>
  (await client.get<{ UsedSize: number; UsedTraffic: number; TotalSize: number }>('/api/v1/storage/get_storage_size'))
    .data

describe('a client written only from the specification', () => {
  it('stores a file, lists it, and gets the same bytes back', async () => {
    const bytes = random(5_000_000)
    const { cid } = await person.upload(bytes, 'five.bin')
    expect(await person.list()).toContainEqual({ cid, size: bytes.length, name: 'five.bin' })
    expect(Buffer.from(await person.download(cid)).equals(bytes)).toBe(true)
  })

  it('replicates the file to every node', async () => {
    const { cid } = await person.upload(random(1_000_000), 'waitForAllReplicas.bin')
    await until(async () => {
      const { titan_count, wanted_count } = await detail(person, cid)
      return titan_count === network.nodes.length && wanted_count === network.nodes.length
    })
  })

  it('keeps replicas only in the area chosen', async () => {
    const { cid } = await person.upload(random(300_000), 'singapore.bin', { areas: ['Singapore'] })
    await until(async () => (await detail(person, cid)).titan_count > 0)
    const { list } = await detail(person, cid)
    expect(list.every((point) => point.area_id.includes('-Singapore-'))).toBe(true)
  })

  it('counts downloads as download traffic of the account', async () => {
    const customer = await signUp(network.url)
    const bytes = random(3_000_000)
    const { cid } = await customer.upload(bytes, 'paid.bin')
    await customer.download(cid)
    await until(async () => (await stat(customer)).UsedTraffic === bytes.length)
    expect((await stat(customer)).UsedSize).toBe(bytes.length)
  })

  it('reports an existing file instantly', async () => {
    const bytes = random(700_000)
    const first = await person.upload(bytes, 'again.bin')
    const again = await person.upload(bytes, 'again.bin')
    expect(again).toMatchObject({ cid: first.cid, node: '' })
  })

  it('removes a deleted file from the list, the quota and the nodes', async () => {
    const customer = await signUp(network.url)
    const { cid } = await customer.upload(random(400_000), 'gone.bin')
    const { data } = await customer.get<{ url: string[] }>('/api/v1/storage/share_asset', { asset_cid: cid })
    const address = data.url[0] as string
    expect((await fetch(address)).status).toBe(200)
    await customer.get('/api/v1/storage/delete_asset', { asset_cid: cid })
    expect(await customer.list()).toEqual([])
    expect((await stat(customer)).UsedSize).toBe(0)
    await until(async () => (await fetch(address, { method: 'HEAD' })).status >= 400)
  })

  it('uploads and downloads anonymously', async () => {
    const visitor = wireClient(network.url)
    const bytes = random(2_000_000)
    const { cid } = await visitor.upload(bytes, 'anonymous.bin')
    const got = await visitor.download(cid)
    expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('rejects access to other accounts, uploads above the quota, and malformed input', async () => {
    const other = await signUp(network.url)
    const { cid } = await person.upload(random(100_000), 'private.bin')
    await expect(other.download(cid)).rejects.toMatchObject({ err: 10028 })
    await expect(wireClient(network.url).download(cid)).rejects.toMatchObject({ err: 1000 })
    const { data } = await person.get<{ url: string[] }>('/api/v1/storage/share_asset', { asset_cid: cid })
    const address = new URL(data.url[0] as string)
    address.searchParams.set('token', 'rubbish')
    expect((await fetch(address)).status).toBe(401)
    address.searchParams.delete('token')
    expect((await fetch(address)).status).toBe(401)
    await expect(other.upload(new Uint8Array(0), 'empty')).rejects.toThrow()
    const total = (await stat(other)).TotalSize
    expect(await other.get('/api/v1/storage/get_upload_info', { size: total + 1 })).toMatchObject({
      code: -1,
      err: 10004,
    })
  })
})
