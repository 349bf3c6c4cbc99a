/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { createStorage, isSuccess, type Result } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

/** Bytes of the file. */
const SIZE = process.env.TIDENET_TEST_LONG === 'yes' ? 1_000_000_000 : 20_000_000

let network: Network
let database: pg.Client
beforeAll(async () => {
  // Trusted nodes are audited by validators only.
  network = await startNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'validator' }] })
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

it('a device that serves a file shows within a minute what it earned, with the cause, the inputs and the receipts', async () => {
  const [owner, reader] = [await signUp(network.url), await signUp(network.url)]
  await database.query('update nodes set owner_id = (select id from users where email = $1)', [owner.username])
  await database.query('update users set vip = true where email = $1', [reader.username])
  const storage = createStorage({ url: network.url, token: reader.token })
  const { cid } = data(await storage.uploadAsset(new Uint8Array(randomBytes(SIZE)), { name: 'file.bin' }))
  data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))

  const { api } = createStorage({ url: network.url, token: owner.token })
  const earning = await until(async () => {
    const { list } = data(await api.call('earnings.summary', {}))
    return list.find(({ today }) => today.traffic > 0)
  }, 60_000)
  const day = new Date().toISOString().slice(0, 10)
  // Parts of a long download are paid before its end.
  const hour = await until(async () => {
    const { hours } = data(await api.call('earnings.statement', { node_id: earning.node_id, day }))
    const { list } = data(await api.call('earnings.downloads', { node_id: earning.node_id, day }))
    return list.reduce((sum, { signed }) => sum + signed, 0) === SIZE && hours.at(-1)
  }, 60_000)
  expect(hour).toMatchObject({ receipt: null, hindrance: null, inputs: { trusted: true, failed: 0, signed: SIZE } })
  expect(hour?.traffic).toBe(SIZE / 1000)
})
