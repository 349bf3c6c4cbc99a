import { createHash, randomBytes } from 'node:crypto'
import { ACCELERATION_SAMPLES_MIN } from '@tidenet/contract'
import { createStorage, isSuccess, type Result } from '@tidenet/storage'
import { freePort, type Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DelayingProxy, openDelayingProxy } from './delaying-proxy.ts'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

/**
 * Two regions: nodes in Germany, which are far from the readers of this test, behind proxies that delay every byte, and nodes in Japan, near
 * the readers. The server sees Japanese addresses of readers, through a proxy that it trusts.
 */

/** Ms in each direction; far more than anything else takes here. */
const DELAY = 150
const NEAR_AREA = 'Asia-Japan-Tokyo-Tokyo'
/** An address in Japan in the packaged database. */
const addressOf = (reader: number) => `133.11.0.${reader}`

let network: Network
let far: DelayingProxy[]
let token: string
let cid: string
const bytes = randomBytes(400_000)

const data = <T>(result: Result<T>): T => {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

/** The SDK of a reader in Japan. */
const storageOf = (reader: number) =>
  createStorage({
    url: network.url,
    token,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', addressOf(reader))
      return fetch(input, { ...init, headers })
    },
  })
const state = async (reader = 1) => data(await storageOf(reader).api.call('acceleration.get', { cid }))
const copiesIn = async (country: string) =>
  data(await storageOf(1).api.call('assets.replicas', { cid })).list.filter(
    ({ area_id, state }) => state === 'stored' && area_id.split('-')[1] === country,
  ).length

/** Ms until the first byte of the first source, over a new connection. */
async function firstByte(reader: number): Promise<{ ms: number; node: string }> {
  const info = data(await storageOf(reader).api.call('downloads.own', { asset_cid: cid }))
  const began = performance.now()
  const answer = await fetch(info.url[0] ?? '', { headers: { range: 'bytes=0-0', connection: 'close' } })
  await answer.arrayBuffer()
  return { ms: performance.now() - began, node: info.node_ids[0] ?? '' }
}

/** Downloads with the SDK, which reports what it measured. */
async function download(reader: number): Promise<void> {
  const { blob, verified } = data(await storageOf(reader).downloadAsset({ assetCid: cid, to: 'blob' }))
  expect(verified).toBe(true)
  const received = new Uint8Array(await (blob as Blob).arrayBuffer())
  expect(createHash('sha256').update(received).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
}

beforeAll(async () => {
  const ports = [await freePort(), await freePort(), await freePort()]
  far = await Promise.all(ports.map((port) => openDelayingProxy({ host: '127.0.0.1', port }, DELAY)))
  network = await startNetwork({
    env: { TIDENET_REPLICAS: '3', TIDENET_TRUST_PROXY: '127.0.0.1' },
    nodes: ports.map((port, index) => ({
      kind: 'candidate',
      area: 'Europe-Germany-Hesse-Frankfurt',
      port,
      url: `http://127.0.0.1:${far[index]?.port}`,
    })),
  })
  const account = await signUp(network.url)
  token = account.token
  const database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  await database.query(`update users set vip = true`)
  await database.end()
  cid = data(await storageOf(1).uploadAsset(new Uint8Array(bytes), { name: 'far.bin' })).cid
  await until(async () => (await copiesIn('Germany')) === 3)
  // They join when the file has all the copies that it needs.
  await network.addNode({ kind: 'candidate', area: NEAR_AREA })
  await network.addNode({ kind: 'candidate', area: NEAR_AREA })
  await until(
    async () => (await fetch(`${network.url}/api/v2/health`).then((answer) => answer.json())).data.nodes_online === 5,
  )
})
afterAll(async () => {
  await network?.stop()
  for (const proxy of far ?? []) proxy.close()
})

describe('a file that is read far from its copies', () => {
  let before: number

  it('answers late, and readers measure it', async () => {
    expect(await copiesIn('Japan')).toBe(0)
    before = (await firstByte(2)).ms
    expect(before).toBeGreaterThan(2 * DELAY * 0.9)
    for (let reader = 10; reader < 10 + ACCELERATION_SAMPLES_MIN; reader++) await download(reader)
    await until(async () => (await state()).measures[0]?.before.samples === ACCELERATION_SAMPLES_MIN)
  })

  it('gets copies near its readers when it is accelerated', async () => {
    data(await storageOf(1).api.call('acceleration.set', { cid, on: true }))
    await until(async () => (await copiesIn('Japan')) === 2)
    await until(async () => (await state()).state === 'active')
    expect(await state()).toMatchObject({
      near: [{ area: 'Japan', copies: 2, cause: 'reads' }],
      cost: { extra_bytes: 2 * bytes.length, copied_bytes: 2 * bytes.length },
    })
    expect(await copiesIn('Germany')).toBe(3)
  })

  it('answers them much earlier, from a node near them', async () => {
    const near = network.nodes.filter(({ area }) => area === NEAR_AREA).map(({ id }) => id)
    for (let reader = 3; reader < 6; reader++) {
      const { ms, node } = await firstByte(reader)
      expect(near).toContain(node)
      expect(before / ms).toBeGreaterThan(2)
    }
  })

  it('shows what readers measured before and after', async () => {
    for (let reader = 30; reader < 30 + ACCELERATION_SAMPLES_MIN; reader++) await download(reader)
    await until(async () => (await state()).measures[0]?.after.samples === ACCELERATION_SAMPLES_MIN)
    const [japan] = (await state()).measures
    const [slow, fast] = [japan?.before.first_byte ?? 0, japan?.after.first_byte ?? Number.POSITIVE_INFINITY]
    expect(slow).toBeGreaterThan(2 * DELAY * 0.8)
    expect(slow / fast).toBeGreaterThan(2)
  })

  it('gives the extra copies back when acceleration is turned off', async () => {
    data(await storageOf(1).api.call('acceleration.set', { cid, on: false }))
    await until(async () => (await copiesIn('Japan')) + (await copiesIn('Germany')) === 3)
    await until(async () => (await state()).near.length === 0)
    await download(50)
  })

  it('is accelerated for nobody without the plan', async () => {
    const { token: other } = await signUp(network.url)
    const storage = createStorage({ url: network.url, token: other })
    const own = data(await storage.uploadAsset(new Uint8Array(randomBytes(1000)), { name: 'own.bin' }))
    const result = await storage.api.call('acceleration.set', { cid: own.cid, on: true })
    expect(isSuccess(result)).toBe(false)
  })
})
