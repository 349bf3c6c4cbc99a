import { errors, errorText } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workspaces } from '../../compute/workspaces/offer.ts'
import { sampleClusters } from '../../compute/workspaces/sample-tenant.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Person } from '../../test-env.fixture.ts'
import { orderCalls } from '../orders/sample-calls.fixture.ts'
import { type OrdersEnv, setupOrders } from '../orders/sample-orders.fixture.ts'
import { endGuests, runGuest } from './service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let env: OrdersEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setupOrders()
  env.context.config.guestWorkspaces = 3
})
afterAll(() => env?.close())
beforeEach(async () => {
  sample = sampleClusters(env.base)
  env.context.clusters = env.base.context.clusters
  env.context.workspaces = workspaces
  await env.base.db.run(sql`delete from guest_workspaces`)
  await env.base.db.run(sql`delete from attempts`)
  await env.base.db.run(sql`update workspaces set state = 'removed'`)
})

const { call, as, details, paymentOf } = orderCalls(() => env)

let addresses = 0
const newAddress = () => `10.9.${Math.floor(++addresses / 200)}.${(addresses % 200) + 1}`
const space = async () =>
  (
    await env.base.db.maybe<{ id: string }>(
      sql`select workspace_id as id from guest_workspaces order by created_at desc limit 1`,
    )
  )?.id ?? ''

/** Starts one, and its workspace. */
async function guest(ip = newAddress()) {
  const { data, ...answer } = await call('guests.start', {}, { ip })
  const id = await space()
  if (data) await runGuest(env.context, id)
  return { ...answer, key: data?.key ?? '', token: data?.token ?? '', id }
}
const stateOf = async (key: string) => (await call('guests.state', { key }, {})).data
const pass = async (ms: number) => {
  env.base.pass(ms)
  await endGuests(env.context)
  await env.work()
}

describe('a guest workspace', () => {
  it('runs for ten minutes without access to the internet, and is deleted with its account', async () => {
    const { key, token, id } = await guest()
    expect(await stateOf(key)).toMatchObject({ state: 'running', adopted: false })
    const { data } = await call('clusters.workspaces', {}, { token })
    expect(data.list.map((each) => each.id)).toEqual([id])
    expect(sample.spaces.has(id)).toBe(true)
    const row = await env.base.db.one<{ offline: boolean }>(sql`select offline from workspaces where id = ${id}`)
    expect(row.offline).toBe(true)
    await pass(9 * MINUTE)
    expect((await stateOf(key)).state).toBe('running')
    await pass(2 * MINUTE)
    expect((await stateOf(key)).state).toBe('over')
    expect(sample.spaces.has(id)).toBe(false)
    expect((await call('clusters.workspaces', {}, { token })).code).toBe(401)
    const { open } = await env.base.db.one<{ open: number }>(sql`
      select count(*) as open from users u join guest_workspaces g on g.guest_id = u.id where u.closing_at is null`)
    expect(open).toBe(0)
  })

  it('is removed later if the cluster was away at its end, or the server was killed while it started', async () => {
    const { key, id } = await guest()
    const { data } = await call('guests.start', {}, { ip: newAddress() })
    sample.control.away = true
    await pass(11 * MINUTE)
    expect(sample.spaces.has(id)).toBe(true)
    sample.control.away = false
    await pass(2 * MINUTE)
    expect([(await stateOf(key)).state, (await stateOf(data.key)).state]).toEqual(['over', 'over'])
    expect(sample.spaces.has(id)).toBe(false)
  })

  it('says so if it could not be started, and frees its place', async () => {
    sample.control.fails = true
    const ip = newAddress()
    const { key } = await guest(ip)
    expect((await stateOf(key)).state).toBe('failed')
    sample.control.fails = false
    await pass(0)
    expect((await guest(ip)).code).toBe(0)
  })
})

describe('adopting it', () => {
  const adopt = (person: Pick<Person, 'token'>, key: string) => call('guests.adopt', { key }, { token: person.token })

  it('gives it to the account; when its time is over, it is an expired order that can be bought', async () => {
    const buyer = await env.buyer()
    const { key, token, id } = await guest()
    const { data } = await adopt(buyer, key)
    expect((await call('clusters.workspaces', {}, data)).data.list.map((each) => each.id)).toEqual([id])
    // The guest's session does not reach the account.
    expect((await call('clusters.workspaces', {}, { token })).code).toBe(401)
    await pass(11 * MINUTE)
    expect(await stateOf(key)).toMatchObject({ state: 'over', adopted: true })
    const { order, timers } = await details(buyer, id)
    expect(order).toMatchObject({ label: 'expired', actions: ['rebuy'], price: 0 })
    expect(Date.parse(timers.kept_until) - env.base.clock.now()).toBeGreaterThan(71 * HOUR)

    const { cpu, ram, storage, duration } = order
    const again = await call('orders.create', { cpu, ram, storage, duration, rebuy: id }, as(buyer))
    const hash = await buyer.pay(await paymentOf(buyer, again.data.id))
    await call('orders.hash', { id: again.data.id, hash }, as(buyer))
    await env.work()
    expect((await details(buyer, again.data.id)).order).toMatchObject({ status: 2, workspace_id: id })
    expect(sample.workloads.get(`m-${id}`)?.state).toBe('running')
    const row = await env.base.db.one<{ offline: boolean }>(sql`select offline from workspaces where id = ${id}`)
    expect(row.offline).toBe(false)
  })

  it('and not buying it deletes it after 72 hours', async () => {
    const buyer = await env.buyer()
    const { key, id } = await guest()
    await adopt(buyer, key)
    await pass(11 * MINUTE)
    await pass(73 * HOUR)
    expect(sample.spaces.has(id)).toBe(false)
  })

  it('is refused without its key, to a second account, when it is over, and for a second one', async () => {
    const [buyer, other] = [await env.buyer(), await env.buyer()]
    const first = await guest()
    expect((await adopt(other, `${first.key}x`)).err).toBe(errors.notFound.err)
    expect((await adopt(buyer, first.key)).code).toBe(0)
    // Again, after an answer was lost.
    expect((await adopt(buyer, first.key)).code).toBe(0)
    expect((await adopt(other, first.key)).err).toBe(errors.notFound.err)
    const second = await guest()
    expect((await adopt(buyer, second.key)).msg).toBe(errorText('guestAdopted', 'en'))
    await pass(11 * MINUTE)
    expect((await adopt(other, second.key)).err).toBe(errors.guestOver.err)
  })
})

describe('strangers', () => {
  it('get one at a time per network, few in a row, and altogether as many as the operator allows', async () => {
    const ip = newAddress()
    const first = await guest(ip)
    expect((await guest(ip)).code).toBe(-1)
    await pass(11 * MINUTE)
    expect((await stateOf(first.key)).state).toBe('over')
    // That was the third start.
    await guest(ip)
    expect((await guest(ip)).code).toBe(-1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('guests.start', {}, { ip: newAddress() })))
    expect(answers.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(3)
    const { count } = await env.base.db.one<{ count: number }>(sql`
      select count(*) as count from guest_workspaces where state <> 'over'`)
    expect(count).toBeLessThanOrEqual(3)
  })

  it('cannot run other programs in it, nor change it', async () => {
    const { token, id } = await guest()
    const program = {
      workspace: id,
      name: 'other',
      image: 'docker.io/library/nginx:1.27',
      cpu: 0.1,
      memory: 64,
      storage: 1,
    }
    expect((await call('clusters.deploy', program, { token })).err).toBe(errors.guestLimited.err)
    expect((await call('clusters.change', { id: `m-${id}`, image: program.image }, { token })).err).toBe(
      errors.guestLimited.err,
    )
  })

  it('cannot use the session of a guest for anything else', async () => {
    const { token } = await guest()
    expect((await call('orders.history', {}, { token })).code).toBe(401)
    expect((await call('accounts.vipInfo', {}, { token })).code).toBe(401)
  })

  it('get none unless the operator offers them', async () => {
    env.context.config.guestWorkspaces = 0
    try {
      expect((await call('guests.offer', {}, {})).data.available).toBe(false)
      expect((await call('guests.start', {}, { ip: newAddress() })).code).toBe(-1)
    } finally {
      env.context.config.guestWorkspaces = 3
    }
  })
})
