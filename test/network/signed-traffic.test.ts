import { randomBytes } from 'node:crypto'
import { createStorage, isSuccess, type Result } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

const SIZE = 20_000_000

let network: Network
let database: pg.Client
beforeAll(async () => {
  network = await startNetwork({ nodes: [{ kind: 'candidate' }] })
  database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await network?.stop()
})

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}
/** Traffic of all nodes for accounts with a free plan. */
async function traffic(): Promise<{ sent: number; signed: number }> {
  const { rows } = await database.query(
    `select coalesce(sum(sent), 0)::float8 as sent, coalesce(sum(signed), 0)::float8 as signed from node_traffic where account_kind = 'free'`,
  )
  return rows[0]
}

it('what the SDK downloads counts as signed, and what other programs download does not', async () => {
  const { token } = await signUp(network.url)
  const storage = createStorage({ url: network.url, token })
  const { cid } = data(await storage.uploadAsset(new Uint8Array(randomBytes(SIZE)), { name: 'file.bin' }))

  data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
  await until(async () => (await traffic()).signed === SIZE)
  expect((await traffic()).sent).toBeGreaterThanOrEqual(SIZE)

  const { url } = data(await storage.getDownLoadUrls({ assetCid: cid }))
  const answer = await fetch(url[0] ?? '')
  expect((await answer.arrayBuffer()).byteLength).toBe(SIZE)
  await until(async () => (await traffic()).sent >= 2 * SIZE)
  expect((await traffic()).signed).toBe(SIZE)
})
