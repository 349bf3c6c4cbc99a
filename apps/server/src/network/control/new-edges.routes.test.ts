import { EDGES_PER_NETWORK_DAY as MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Registration, sampleRegistration } from './sample-registration.fixture.ts'

const DAY = 24 * 3600_000
let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

let networks = 0
/** An IPv4 /24 that no other test uses. */
function newNetwork() {
  const start = `198.18.${++networks}`
  return { ip: (last = 1) => `${start}.${last}` }
}

/** Registers a node, by default a new edge; `again` registers it once more. */
async function join(
  ip: string,
  {
    lang,
    keys,
    ...more
  }: Partial<Registration> & { lang?: 'cn'; keys?: Parameters<typeof sampleRegistration>[2] } = {},
  where = env,
) {
  const node = sampleRegistration(where, more, keys)
  const answer = await where.call('nodeControl.register', node.input, { ip, ...(lang && { lang }) })
  return { ...answer, again: () => join(ip, { ...more, keys: node.keys }, where) }
}
const fill = (network: ReturnType<typeof newNetwork>, count = MAX) =>
  Promise.all(Array.from({ length: count }, (_, index) => join(network.ip(index + 1))))
const accepted = (answers: { code: number }[]) => answers.filter(({ code }) => code === 0).length

describe('new edges of one network', () => {
  it('join up to a number a day, however many register at once', async () => {
    const network = newNetwork()
    const before = await env.db.one<{ nodes: number }>(sql`select count(*) as nodes from nodes`)
    const answers = await fill(network, 3 * MAX)
    expect(accepted(answers)).toBe(MAX)
    expect(await env.db.one(sql`select count(*) as nodes from nodes`)).toEqual({ nodes: before.nodes + MAX })
    for (const { code, err } of answers) if (code !== 0) expect(err).toBe(1020)
  })

  it('are told when they can join, and that nodes that joined earlier are not affected', async () => {
    const network = newNetwork()
    await fill(network)
    expect((await join(network.ip())).msg).toMatch(/at most 20 .* a day.* 24 hours.* not affected/)
    expect((await join(network.ip(), { lang: 'cn' })).msg).toMatch(/一天最多 20 个.* 24 小时后.*不受影响/)
  })

  it('can join again a day later', async () => {
    const network = newNetwork()
    await fill(network)
    env.pass(DAY - 60_000)
    expect(accepted([await join(network.ip())])).toBe(0)
    env.pass(61_000)
    expect(accepted(await fill(network, MAX + 5))).toBe(MAX)
  })

  it('are not more in any 24 hours', async () => {
    const network = newNetwork()
    await fill(network, MAX / 2)
    env.pass(DAY - 3600_000)
    expect(accepted(await fill(network, MAX))).toBe(MAX / 2)
    env.pass(2 * 3600_000)
    expect(accepted(await fill(network, MAX))).toBe(MAX / 2)
  })

  it('do not include nodes that are known, which register at every start', async () => {
    const network = newNetwork()
    const known = await join(network.ip())
    for (let times = 0; times < 2 * MAX; times++) {
      env.pass(1000)
      expect((await known.again()).code).toBe(0)
    }
    expect(accepted(await fill(network, MAX))).toBe(MAX - 1)
    env.pass(1000)
    expect((await known.again()).code).toBe(0)
  })

  it('do not include candidates and validators', async () => {
    const network = newNetwork()
    await fill(network)
    for (const kind of ['candidate', 'validator'] as const)
      expect((await join(network.ip(), { kind, join_token: 'join' })).code).toBe(0)
  })

  it('do not use up what others may bring', async () => {
    await fill(newNetwork())
    expect((await join(newNetwork().ip())).code).toBe(0)
  })

  it('are counted by the /48 of IPv6 addresses', async () => {
    const answers = await Promise.all(Array.from({ length: MAX + 5 }, (_, index) => join(`2001:db8:5:${index}::1`)))
    expect(accepted(answers)).toBe(MAX)
    expect((await join('2001:db8:6::1')).code).toBe(0)
  })

  it('are counted by the /32 of IPv6 addresses too, in which one person can have many networks', async () => {
    const small = await setup({ edgesPerNetwork: 2 })
    const from = (host: number) => join(`2001:db8:${host.toString(16)}::1`, {}, small)
    expect(accepted(await Promise.all(Array.from({ length: 20 }, (_, index) => from(index + 1))))).toBe(16)
    expect((await join('2001:db9:1::1', {}, small)).code).toBe(0)
    await small.close()
  })

  it('that have an owner can join although others have used up the limit; these are limited too', async () => {
    const network = newNetwork()
    await fill(network)
    expect((await join(network.ip())).err).toBe(1020)
    const joinFor = async (count: number) => {
      const owner_code = (await env.call('devices.code', {}, await env.person())).data.code
      return Promise.all(Array.from({ length: count }, (_, index) => join(network.ip(index + 1), { owner_code })))
    }
    expect(accepted(await joinFor(MAX + 3))).toBe(MAX)
    expect(accepted(await joinFor(3))).toBe(3)
    expect(accepted(await fill(network, 1))).toBe(0)
    for (let each = 0; each < 3; each++) await joinFor(MAX)
    // However many accounts somebody has.
    expect(accepted(await joinFor(1))).toBe(0)
    const { nodes } = await env.db.one<{ nodes: number }>(
      sql`select count(*) as nodes from nodes where joined_from = ${network.ip(0).replace(/0$/, '0/24')}`,
    )
    expect(nodes).toBe(5 * MAX)
  })

  it('are not limited by refused registrations', async () => {
    const network = newNetwork()
    for (let times = 0; times < MAX; times++) {
      const { input } = sampleRegistration(env)
      expect(
        (await env.call('nodeControl.register', { ...input, url: 'http://198.51.100.1' }, { ip: network.ip() })).err,
      ).toBe(1021)
    }
    expect(accepted(await fill(network))).toBe(MAX)
  })
})

describe('edges on the machine of the server', () => {
  const here = (where: TestEnv) => Promise.all(Array.from({ length: MAX + 5 }, () => join('127.0.0.1', {}, where)))

  it('are not limited where private addresses are allowed, as in development', async () => {
    expect(accepted(await here(env))).toBe(MAX + 5)
  })

  it('are one network elsewhere, so that a proxy that is not configured opens nothing', async () => {
    const strict = await setup({ privateNodes: false })
    expect(accepted(await here(strict))).toBe(MAX)
    await strict.close()
  })
})

it('the number of new edges per network is a setting', async () => {
  const small = await setup({ edgesPerNetwork: 2 })
  expect(
    accepted(await Promise.all(Array.from({ length: 5 }, (_, index) => join(`198.18.0.${index}`, {}, small)))),
  ).toBe(2)
  await small.close()
})
