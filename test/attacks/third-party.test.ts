import { randomBytes } from 'node:crypto'
import { parseCid } from '@tidenet/content'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { startKubo, type TestKubo } from '../../apps/server/src/storage/third-party/kubo.fixture.ts'
import { createKubo } from '../../apps/server/src/storage/third-party/kubo.ts'
import {
  startPinningService,
  type TestPinningService,
} from '../../apps/server/src/storage/third-party/pinning-service.fixture.ts'
import { startNode, tasksOf } from '../../apps/server/src/storage/third-party/third-party.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// Providers that lie or fail, and accounts that want copies or knowledge that they do not pay for.

let env: TestEnv
let kubo: TestKubo
let service: TestPinningService
let node: Awaited<ReturnType<typeof startNode>>
let tasks: ReturnType<typeof tasksOf>
let owner: Person
beforeAll(async () => {
  kubo = await startKubo()
  service = await startPinningService({ token: 'secret', readBlock: async (cid) => kubo.blocks.get(cid) })
  env = await setup({
    thirdParty: {
      hours: 1,
      providers: [
        { kind: 'kubo', name: 'kubo', url: kubo.url, token: '' },
        { kind: 'pinning', name: 'service', url: service.url, token: 'secret', gateway: service.url, origins: [] },
      ],
    },
  })
  node = await startNode(env)
  tasks = tasksOf(env)
})
afterAll(async () => {
  await node?.close()
  await Promise.all([kubo?.close(), service?.close()])
  await env?.close()
})
beforeEach(async () => {
  Object.assign(service.faults, { status: 0, lies: false, wrongBlocks: false, otherCid: false, text: '' })
  Object.assign(service.faults, { losesAnswer: false, ignoresFilter: false, stuck: false })
  Object.assign(kubo.faults, { down: false, wrongBlocks: false, noBlocks: false, refused: '' })
  await env.db.run(sql`delete from third_party_replicas`)
  await env.db.run(sql`delete from third_party_providers`)
  owner = await env.person({ vip: true })
})

const file = () => node.file(owner, randomBytes(400_000))
const at = async (cid: string, provider: string) =>
  (await tasks.replicasOf(owner, cid)).list.find(({ kind }) => kind === provider)
const stored = (cid: string, provider = 'pinning') =>
  tasks.until(async () => (await at(cid, provider))?.state === 'stored')
async function runFor(times: number) {
  for (let run = 0; run < times; run++) {
    await tasks.run()
    env.pass(120_000)
  }
}

it('a service that fetches from our Kubo node stores a content, and is read back from its gateway', async () => {
  const cid = await file()
  await stored(cid)
  expect(await at(cid, 'pinning')).toMatchObject({ provider: 'service', checked_at: expect.any(String) })
  const [pin] = [...service.pins.values()].filter((each) => each.pin.cid === cid)
  expect(pin?.pin.origins?.[0]).toContain('/p2p/')
  // The names of files stay here.
  expect(JSON.stringify(pin)).not.toContain('a file')
})

it('a service that says “pinned” and stores nothing is never counted', async () => {
  service.faults.lies = true
  const cid = await file()
  await stored(cid, 'kubo')
  await runFor(30)
  expect(await at(cid, 'pinning')).toMatchObject({ checked_at: null, late: { reason: 'unverified' } })
  expect((await tasks.replicasOf(owner, cid)).stored).toBe(1)
})

it('a service whose gateway serves wrong blocks is never counted', async () => {
  service.faults.wrongBlocks = true
  const cid = await file()
  await stored(cid, 'kubo')
  await runFor(10)
  expect((await at(cid, 'pinning'))?.state).not.toBe('stored')
})

it('a service that answers for another content is refused', async () => {
  service.faults.otherCid = true
  const cid = await file()
  await stored(cid, 'kubo')
  await runFor(10)
  expect(await at(cid, 'pinning')).toMatchObject({ late: { reason: 'refused' } })
})

it('a service whose answer to an order was lost does not store the content twice', async () => {
  const cid = await file()
  await stored(cid, 'kubo')
  service.faults.losesAnswer = true
  await stored(cid)
  expect([...service.pins.values()].filter((each) => each.pin.cid === cid)).toHaveLength(1)
})

it('a service that ignores the filter cannot pass off the pin of another replica', async () => {
  const first = await file()
  await stored(first)
  service.faults.ignoresFilter = true
  const second = await file()
  await stored(second)
  const deals = [await at(first, 'pinning'), await at(second, 'pinning')].map((replica) => replica?.deal_id)
  expect(new Set(deals).size).toBe(2)
})

it.each(['x'.repeat(3_000_000), '<html>', '{"requestid":""}', '[]', '{"results":1}'])(
  'a service that answers with something else (%#) is refused, and the rest goes on',
  async (text) => {
    service.faults.text = text
    const cid = await file()
    await stored(cid, 'kubo')
    await runFor(3)
    expect((await at(cid, 'pinning'))?.state).not.toBe('stored')
  },
)

it('a content that a provider refuses does not keep those of other accounts waiting', async () => {
  const refused = await file()
  kubo.faults.refused = refused
  await tasks.until(async () => (await at(refused, 'kubo'))?.late?.reason === 'refused')
  const cid = await file()
  // No time passes.
  await tasks.run()
  expect(await at(cid, 'kubo')).toMatchObject({ state: 'stored' })
})

it('a wrong token is said to operators, and not the token', async () => {
  service.faults.status = 401
  const cid = await file()
  await stored(cid, 'kubo')
  await runFor(3)
  const operator = await env.person({ role: 'operator' })
  const { data } = await env.call('admin.thirdParties', {}, operator)
  const text = JSON.stringify(data)
  expect(text).toContain('401')
  expect(text).not.toContain('secret')
})

it('Kubo is sent no content that its node cannot hold whole', async () => {
  const provider = createKubo({ kind: 'kubo', name: 'k', url: kubo.url, token: '' })
  const cid = parseCid('bafybeigqhs2yllakth4mhfc3x2er2jhyojmjet53kggctstasuph6snjlm')
  const { signal } = new AbortController()
  async function* nothing(): AsyncIterable<Uint8Array> {}
  const content = { cid, kind: 'file' as const, size: 10, key: '' }
  await expect(provider.add(content, { origins: [], car: nothing, signal })).rejects.toMatchObject({
    name: 'ThirdPartyError',
  })
})

it('a hundred changes of the choice at once leave what was chosen last, and no replica that is not allowed', async () => {
  const cid = await file()
  await stored(cid, 'kubo')
  const choices = (['all', 'encrypted'] as const).flatMap((choice) => Array.from({ length: 50 }, () => choice))
  const person = await tasks.fresh(owner)
  await Promise.all(choices.map((choice) => env.call('thirdParty.choose', { choice }, person)))
  await env.call('thirdParty.choose', { choice: 'off' }, await tasks.fresh(owner))
  await tasks.recheck(owner)
  await tasks.until(async () => !kubo.pins.has(cid))
  expect((await tasks.replicasOf(owner, cid)).total).toBe(0)
})

it('a replica that is withdrawn while it is sent is removed', async () => {
  service.faults.stuck = true
  const cid = await file()
  await stored(cid, 'kubo')
  await tasks.until(async () => [...service.pins.values()].some((each) => each.pin.cid === cid))
  await env.call('thirdParty.choose', { choice: 'off' }, await tasks.fresh(owner))
  await tasks.recheck(owner)
  await tasks.until(async () => ![...service.pins.values()].some((each) => each.pin.cid === cid))
})

it('an account learns nothing of replicas of a content that it cannot read', async () => {
  const cid = await file()
  await stored(cid, 'kubo')
  const stranger = await env.person({ vip: true })
  for (const uid of [undefined, owner.uid, stranger.uid, 'nobody'])
    expect(
      (await env.call('thirdParty.list', { cid, ...(uid && { user_id: uid }) }, await tasks.fresh(stranger))).data,
    ).toMatchObject({ list: [], total: 0, stored: 0 })
})
