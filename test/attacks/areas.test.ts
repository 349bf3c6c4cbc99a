import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { probeNode } from '../../apps/server/src/network/control/reachability.ts'
import {
  type Registration,
  sampleRegistration,
  signedBy,
} from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { healthText } from '../../apps/server/src/network/nodes/signatures.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { samplePlacement } from '../../apps/server/src/network/placement/sample-placement.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Nodes that lie about their area, to get files that are restricted to it. As in production: what they say alone counts for nothing. */

let env: TestEnv
let person: Person
const servers: Server[] = []
beforeEach(async () => {
  env = await setup({ environment: 'production' })
  person = await env.person()
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await env.close()
})
const { file, states, work } = samplePlacement(
  () => env,
  () => person,
)

const GERMAN = '193.99.144.80'
const SINGAPOREAN = '165.21.83.88'
const SINGAPORE = 'Asia-Singapore-Singapore-Singapore'
type Keys = ReturnType<typeof sampleRegistration>['keys']

/** Registers an edge from this address; it says that it is in Singapore unless `more` says otherwise. */
async function register(ip: string, more: Partial<Registration> = {}, keys: Keys = generateKeyPairSync('ed25519')) {
  env.pass(1000)
  const { input } = sampleRegistration(env, { area_id: SINGAPORE, capacity: 1e12, ...more }, keys)
  const { data } = await env.call('nodeControl.register', input, { ip })
  // Nothing answers at its URL; a probe that ends later would make it unreachable again.
  const probed = sql`select 1 from nodes where id = ${data.node_id} and unreachable_since is not null`
  await expect.poll(() => env.db.maybe(probed)).toBeDefined()
  return { id: data.node_id, token: data.token, keys }
}
const shown = async (node: { id: string }) => (await env.call('explorer.node', { node_id: node.id })).data
const isReachable = (node: { id: string }) => env.db.run(sql`update nodes set reachable = true where id = ${node.id}`)
/** What a probe records that has reached the node at this address. */
const reachedAt = async (node: { id: string }, ip: string) => {
  await env.db.run(sql`update nodes set reached_ip = ${ip} where id = ${node.id}`)
  await probeNode(env.context, node.id)
  await isReachable(node)
}
const there = { area: 'Singapore', declared_area: null, region_by: 'address' }
const caught = { area: 'Germany', declared_area: SINGAPORE, region_by: 'address' }

it('a node that says it is elsewhere gets no files restricted to there, and is shown with what it says', async () => {
  const holder = await env.node({ area: SINGAPORE })
  const [liar, honest] = [await register(GERMAN), await register(SINGAPOREAN)]
  for (const node of [liar, honest]) await isReachable(node)
  const cid = await file([holder], { areas: ['Singapore'] })
  await place(env.context)
  expect(await states(cid)).toMatchObject({ [honest.id]: 'wanted' })
  expect(await states(cid)).not.toHaveProperty(liar.id)
  expect(await shown(honest)).toMatchObject(there)
  expect(await shown(liar)).toMatchObject(caught)
})

it('a node does not change its area by registering again, with another area or at another URL', async () => {
  const { id, keys } = await register(GERMAN, { area_id: 'Europe-Germany-Hesse-Frankfurt' })
  expect(await shown({ id })).toMatchObject({ area_id: 'Europe-Germany-Hesse-Frankfurt', declared_area: null })
  for (const url of ['http://127.0.0.1:9', 'http://127.0.0.1:10']) {
    await register(GERMAN, { url }, keys)
    expect(await shown({ id })).toMatchObject(caught)
  }
})

it('a node that registers through another country is in the country where the server reaches it', async () => {
  const node = await register(SINGAPOREAN)
  await reachedAt(node, GERMAN)
  expect(await shown(node)).toMatchObject(caught)
  await register(SINGAPOREAN, {}, node.keys)
  expect(await shown(node)).toMatchObject(caught)
})

it('a node whose address moves to another country moves, and its restricted copies are replaced', async () => {
  const [node, other] = [await env.node({ area: SINGAPORE }), await env.node({ area: SINGAPORE })]
  const cid = await file([node], { areas: ['Singapore'] })
  await env.db.run(
    sql`update nodes set declared_area = ${SINGAPORE}, ip = ${SINGAPOREAN} where id in (${node.id}, ${other.id})`,
  )
  await reachedAt(node, GERMAN)
  expect(await shown(node)).toMatchObject(caught)
  await place(env.context)
  expect(await states(cid)).toMatchObject({ [other.id]: 'wanted' })
  await work(other)
  env.pass(60_000)
  await place(env.context)
  expect(await states(cid)).toEqual({ [node.id]: 'removed', [other.id]: 'stored' })
})

it('a node does not change the area that an operator assigned, and has its address again when it is cleared', async () => {
  // In production operators need a second factor.
  await env.close()
  env = await setup()
  const operator = await env.person({ role: 'operator' })
  const { id, keys } = await register(SINGAPOREAN)
  const assign = (area_id: string | null) =>
    env.call('admin.nodeRegion', { node_id: id, area_id, reason: 'seen there' }, operator)
  const assigned = { area: 'France', declared_area: SINGAPORE, region_by: 'operator' }
  await assign('Europe-France-Paris-Paris')
  expect(await shown({ id })).toMatchObject(assigned)
  await register(GERMAN, { url: 'http://127.0.0.1:10' }, keys)
  await reachedAt({ id }, SINGAPOREAN)
  expect(await shown({ id })).toMatchObject(assigned)
  const { list } = (await env.call('admin.audit', { subject: `node:${id}` }, operator)).data
  expect(list[0]).toMatchObject({
    action: 'node.region',
    detail: { reason: 'seen there', after: 'Europe-France-Paris-Paris' },
  })
  await assign(null)
  expect(await shown({ id })).toMatchObject(there)
})

it('the area of a node at an address that says nothing is unknown: it gets no restricted file', async () => {
  const addresses = ['127.0.0.1', '::1', '10.1.2.3', '100.64.0.9', 'fd00::1', '::ffff:10.1.2.3', '203.0.113.7']
  const nodes = await Promise.all(addresses.map((ip) => register(ip)))
  for (const node of nodes) {
    await isReachable(node)
    expect(await shown(node)).toMatchObject({ area: 'Unknown', declared_area: SINGAPORE, region_by: 'nothing' })
  }
  const holder = await env.node({ area: SINGAPORE })
  const cid = await file([holder], { areas: ['Singapore'] })
  await place(env.context)
  expect(Object.keys(await states(cid))).toEqual([holder.id])
  for (const area of ['Unknown', 'Unknown-Unknown-Unknown-Unknown']) {
    const { code } = await env.call('uploads.info', { size: 10, area_id: [area] }, person)
    expect(code).not.toBe(0)
  }
})

it('a node that the server reaches at a private address is not where it registered from', async () => {
  const keys = generateKeyPairSync('ed25519')
  let id = ''
  const server = createServer((request, reply) => {
    const nonce = new URL(request.url ?? '', 'http://x').searchParams.get('nonce') ?? ''
    reply.end(
      JSON.stringify({ node_id: id, signature: signedBy(healthText(id, nonce), keys.privateKey), version: '1' }),
    )
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  id = (await register(SINGAPOREAN, { url }, keys)).id
  await probeNode(env.context, id)
  expect(await shown({ id })).toMatchObject({ area: 'Unknown', region_by: 'nothing' })
})
