import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLUSTERS } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clustersOf } from '../../compute/clusters/clusters.ts'
import { sampleDriver } from '../../compute/clusters/sample-driver.fixture.ts'
import { countFigures } from '../../network/explorer/figures.ts'
import { type SampleChain, startSampleChain } from '../../payments/chain/sample-chain.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { NO_LINKS, setup, type TestEnv } from '../../test-env.fixture.ts'
import { portalServices } from './services.ts'

let chain: SampleChain
let bare: TestEnv
let full: TestEnv
let cluster: ReturnType<typeof sampleDriver>

beforeAll(async () => {
  chain = await startSampleChain()
  bare = await setup()
  full = await setup({
    chain: chain.config,
    smtpUrl: 'smtp://127.0.0.1:9',
    operatorMail: 'operator@portal.test',
    publicUrl: 'http://another.test',
    priceFactor: 0.5,
    links: { ...NO_LINKS, testnet3: 'http://testnet3.test' },
  })
  await populate(full)
})
beforeEach(() => {
  cluster = sampleDriver()
  full.context.clusters = clustersOf([{ driver: cluster.driver, regions: CLUSTERS }])
})
afterAll(async () => {
  await Promise.all([bare?.close(), full?.close()])
  await chain?.stop()
})

const services = async (env: TestEnv) => (await env.call('portal.services', {})).data
const stateOf = async (env: TestEnv, wanted: string) => (await services(env)).list.find(({ name }) => name === wanted)

async function populate(env: TestEnv) {
  const node = await env.node({ free: 1000 })
  const { id } = await env.person()
  const at = new Date(env.clock.now())
  const before = new Date(env.clock.now() - 3600_000)
  await env.db.run(sql`update nodes set used = 7, created_at = ${before} where id = ${node.id}`)
  await env.db.run(sql`insert into online_spans (node_id, began) values (${node.id}, ${before})`)
  await env.db.run(
    sql`insert into wallets (address, kind, user_id, bound_at) values ('tide1bound', 'cosmos', ${id}, ${at})`,
  )
  await env.db.run(sql`insert into transfers (kind, size, to_node, at) values ('upload', 10, ${node.id}, ${at})`)
  await env.db.run(
    sql`insert into contents (cid, hash, kind, size, blocks, stored, created_at) values ('c', 'c', 'file', 10, 1, 1, ${at})`,
  )
  await env.db.run(
    sql`insert into audits (id, cid, node_id, validator_id, position, state, created_at)
    values ('a', 'c', ${node.id}, ${node.id}, 0, 'failed', ${at})`,
  )
}

it('third parties are available only if one stores files: neither without any, nor with a simulation', async () => {
  const answers = []
  const { config } = bare.context
  const { thirdParty } = config
  for (const kinds of [[], ['simulation'], ['simulation', 'kubo']] as const) {
    const providers = kinds.map((kind) => ({ kind })) as unknown as typeof thirdParty.providers
    config.thirdParty = { ...thirdParty, providers }
    const { third_party, list } = await services(bare)
    const { state, reason } = list.find(({ name }) => name === 'thirdParty') ?? {}
    answers.push([third_party, state, reason === ''])
  }
  config.thirdParty = thirdParty
  expect(answers).toEqual([
    ['none', 'unavailable', false],
    ['simulated', 'unavailable', false],
    ['real', 'available', true],
  ])
})

describe('the figures and states of the portal', () => {
  it('are measured: every figure follows the database', async () => {
    await Promise.all([countFigures(bare.context), countFigures(full.context)])
    const [none, some] = await Promise.all(
      [bare, full].map(async (one) => (await one.call('explorer.figures', {})).data),
    )
    const unchanged = Object.entries(some ?? {}).filter(([name, value]) => value === none?.[name as keyof typeof none])
    expect(unchanged).toEqual([])
  })

  it('are checked: every automatic service depends on its requirements', async () => {
    for (const name of ['storage', 'anonymous', 'acceleration', 'containers']) {
      expect(await stateOf(bare, name)).toMatchObject({ state: 'unavailable', reason: expect.stringMatching(/./) })
      expect(await stateOf(full, name)).toMatchObject({ state: 'available', reason: '' })
    }
    expect((await bare.call('portal.services', {}, { lang: 'cn' })).data.list[0]?.reason).toMatch(/\p{Script=Han}/u)
  })

  it('are checked again: containers need the runtime, storage needs nodes', async () => {
    cluster.control.away = true
    expect(await stateOf(full, 'containers')).toMatchObject({ state: 'unavailable' })
    await full.db.run(sql`update nodes set status = 'offline'`)
    expect(await stateOf(full, 'storage')).toMatchObject({ state: 'unavailable' })
    await full.db.run(sql`update nodes set status = 'online'`)
  })

  it('say that containers cannot be paid while the chain is unavailable', async () => {
    await chain.kill()
    expect(await stateOf(full, 'containers')).toMatchObject({ state: 'unavailable' })
    await chain.restart()
    expect(await stateOf(full, 'containers')).toMatchObject({ state: 'available' })
  })

  it('say that programs can be downloaded once they are packed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidenet-packed-'))
    const program = async () =>
      (await portalServices(full.context, 'en', folder)).list.find(({ name }) => name === 'network')?.state
    expect(await program()).toBe('unavailable')
    writeFileSync(join(folder, 'tidenet-cli.tgz'), '')
    const release = { kind: 'cli', version: '1', platform: 'any', needs: 'Node.js', file: 'tidenet-cli.tgz', size: 0 }
    writeFileSync(
      join(folder, 'releases.json'),
      JSON.stringify([{ ...release, sha256: '0'.repeat(64), date: '2026-01-01', notes: { en: '', cn: '' } }]),
    )
    expect(await program()).toBe('available')
    rmSync(folder, { recursive: true })
  })

  it('include the portals of the test networks and whether mail is sent, as configured', async () => {
    expect(await services(bare)).toMatchObject({
      mail: { sent: false, operators: false },
      networks: [
        { testnet: 4, url: 'http://portal.test' },
        { testnet: 3, url: '' },
      ],
    })
    expect(await services(full)).toMatchObject({
      mail: { sent: true, operators: true },
      networks: [
        { testnet: 4, url: 'http://another.test' },
        { testnet: 3, url: 'http://testnet3.test' },
      ],
    })
  })

  it('include prices from the configuration of the operator', async () => {
    const [one, other] = await Promise.all([bare, full].map(async (env) => (await env.call('orders.offers', {})).data))
    expect([one?.factor, other?.factor]).toEqual([0.25, 0.5])
    expect([one?.chain.ready, other?.chain.ready]).toEqual([false, true])
    expect(other?.clusters.every(({ ready }) => ready)).toBe(true)
  })
})

it('refused: an unbuilt service is never available, whatever is configured', async () => {
  for (const name of ['pcdn', 'aiData']) expect(await stateOf(full, name)).toMatchObject({ state: 'request' })
  expect(await stateOf(full, 'aiProxy')).toMatchObject({ state: 'planned' })
})
