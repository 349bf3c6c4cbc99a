import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until, type WireClient } from './wire-client.ts'

/** More than the buffers of a connection hold. */
const LARGE = 24 * 1024 * 1024
const REASON = 'reported by mail'
/** What the network promises: a blocked content stops everywhere within a minute. */
const MINUTE = 60_000

let network: Network
let owner: WireClient
let operator: WireClient
beforeAll(async () => {
  network = await startNetwork()
  owner = await signUp(network.url)
  const person = await signUp(network.url)
  const database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  await database.query(`update users set role = 'operator' where email = $1`, [person.username])
  await database.end()
  operator = person
})
afterAll(() => network?.stop())

/** The addresses of all nodes that hold a content. */
const addresses = async (cid: string) =>
  (await owner.get<{ url: string[] }>('/api/v1/storage/share_asset', { asset_cid: cid })).data.url
const status = async (address: string) => {
  const answer = await fetch(address)
  await answer.body?.cancel()
  return answer.status
}

/** A download that has begun and whose reader has stopped. @returns reads the rest: whether it is whole */
async function begin(address: string) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(address, { agent: false }, resolve).on('error', reject).end()
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

it('a blocked content stops on every node within a minute, stays blocked over a kill, and comes back when it is lifted', async () => {
  const { cid } = await owner.upload(new Uint8Array(randomBytes(LARGE)), 'blocked')
  const { cid: other } = await owner.upload(new Uint8Array(randomBytes(LARGE)), 'other')
  const copies = Math.min(2, network.nodes.length)
  const held = async (of: string) => {
    const urls = await addresses(of)
    return urls.length >= copies && urls
  }
  const [urls, others] = [await until(() => held(cid), 60_000), await until(() => held(other), 60_000)]
  const running = await Promise.all(urls.map(begin))
  const [going] = await Promise.all(others.slice(0, 1).map(begin))

  const started = Date.now()
  const blocked = await until(async () => {
    const answer = await operator.post('/api/v1/admin/block', { cid, category: 'malware', reason: REASON })
    return answer.code === 0 && answer
  }, 10_000)
  expect(blocked.code).toBe(0)
  // New downloads with addresses from before, and running ones.
  await until(async () => (await Promise.all(urls.map(status))).every((each) => each === 451), MINUTE)
  expect(Date.now() - started).toBeLessThan(MINUTE)
  for (const rest of running) expect(await rest()).toBe(false)
  expect(await going?.()).toBe(true)
  expect((await owner.get('/api/v1/storage/share_asset', { asset_cid: cid })).code).not.toBe(0)

  const [address = ''] = urls
  const victim = network.nodes.find(({ url }) => address.startsWith(url))
  victim?.process.kill('SIGKILL')
  await until(async () => (await status(address).catch(() => 0)) === 0)
  await victim?.process.restart()
  await until(async () => (await status(address)) === 451)

  expect((await operator.post('/api/v1/admin/unblock', { cid, reason: REASON })).code).toBe(0)
  await until(async () => (await Promise.all(urls.map(status))).every((each) => each === 200), MINUTE)
  const { data } = await operator.get<{ list: { blocked: boolean; reason: string }[] }>('/api/v1/admin/blocks', { cid })
  expect(data.list.map((each) => each.blocked)).toEqual([false, true])
})
