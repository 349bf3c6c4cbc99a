import { beforeEach, describe, expect, it } from 'vitest'
import type { ClaimsOf } from '../claims.ts'
import { createSampleNetwork, DAY, sampleNodeId } from '../network.fixture.ts'
import { checkDay, computedHours, type ShownStatement } from './check-day.ts'
import { earningsOf } from './index.ts'

const OWNER = 'owner'
const NODE = sampleNodeId('node')
const day = new Date(DAY * 1000).toISOString().slice(0, 10)

let network: ReturnType<typeof createSampleNetwork>
let statement: ShownStatement
/** Receipt files by id. */
let files: Map<number, unknown>
beforeEach(() => {
  network = createSampleNetwork()
  files = new Map()
  const hours = [0, 1, 2].map((index) => {
    const claims = nodeHour(index)
    const { version, traffic, storage } = earningsOf(claims)
    return { hour: claims.hour, version, receipt: issue(claims), traffic, storage }
  })
  const sum = (cause: 'traffic' | 'storage') => hours.reduce((total, hour) => total + hour[cause], 0)
  const sums = { traffic: sum('traffic'), storage: sum('storage') }
  const receipt = issue({ kind: 'earnings', sub: OWNER, node: NODE, day, ...sums, hours })
  statement = { sub: OWNER, node_id: NODE, day, receipt, ...sums, hours }
  // The proofs are those of the whole log.
  for (let index = 0; index <= hours.length; index++) files.set(idOf(index), network.file(index))
})

const nodeHour = (index: number, more: Partial<ClaimsOf<'node_hour'>> = {}) => ({
  kind: 'node_hour' as const,
  sub: OWNER,
  node: NODE,
  hour: DAY + index * 3600,
  trusted: true,
  passed: 3,
  failed: index === 1 ? 1 : 0,
  audited: DAY + index * 3600 + 60,
  held: 1_000_000_000_000,
  online: 3600,
  crowd: 1,
  signed: 5_000_000_000,
  paid_share: 400_000,
  ...more,
})

/** The sample network numbers its receipts so. */
const idOf = (index: number) => 1000 + index
const issue = (claims: Parameters<typeof network.issue>[0]) => idOf(network.issue(claims))
const check = (shown: Partial<ShownStatement> = {}, key = network.key.publicKey) =>
  checkDay({ ...statement, ...shown }, [{ key }], async (id) => files.get(id))
const fresh = (claims: Parameters<typeof network.issue>[0]) => {
  const index = network.issue(claims)
  files.set(idOf(index), network.file(index))
  return idOf(index)
}

describe('a day that is checked with its signed receipts', () => {
  it('agrees, and every receipt is genuine', async () => {
    expect(await check()).toMatchObject({ agrees: true, verified: 4, invalid: [], dayDiffers: false })
  })

  it('agrees before it is over, without the hours that are running', async () => {
    const [hour] = statement.hours
    if (!hour) throw new Error('no hour')
    const running = { ...hour, hour: hour.hour + 3 * 3600, receipt: null, traffic: 999 }
    expect(await check({ receipt: null, hours: [...statement.hours, running] })).toMatchObject({ agrees: true })
  })

  it('agrees when the API has no hours any more: the receipt of the day names them', async () => {
    expect(await check({ hours: [] })).toMatchObject({ agrees: true, verified: 4 })
  })
})

describe('it differs if', () => {
  it('an amount is not that of its receipt; both results can be sent', async () => {
    const hours = statement.hours.map((hour, at) => (at === 0 ? { ...hour, traffic: hour.traffic + 7 } : hour))
    const result = await check({ hours, traffic: statement.traffic + 7 })
    expect(result).toMatchObject({
      agrees: false,
      dayDiffers: true,
      invalid: [],
      result: { difference: { traffic: 7 } },
    })
    expect(computedHours(result.result)).toEqual(
      statement.hours.map(({ hour, traffic, storage }) => ({ hour, traffic, storage })),
    )
  })

  it('an hour and its receipt are left out: the receipt of the day still names it', async () => {
    const hours = statement.hours.slice(1)
    const [first] = statement.hours
    const result = await check({ hours, traffic: statement.traffic - (first?.traffic ?? 0) })
    expect(result).toMatchObject({ agrees: false, dayDiffers: true })
    expect(result.result.hours[0]).toMatchObject({ hour: DAY, problem: 'omitted' })
  })

  it.each<[string, (id: number) => void]>([
    ['missing', (id) => files.delete(id)],
    ['changed', (id) => files.set(id, { ...(files.get(id) as object), receipt: network.sign({ forged: true }) })],
    ['that of another hour, under this number', (id) => files.set(id, files.get(id + 1))],
    ['signed by another network', (id) => files.set(id, foreign(id))],
  ])('a receipt is %s', async (_, break_) => {
    const id = statement.hours[0]?.receipt ?? 0
    break_(id)
    const result = await check()
    expect(result).toMatchObject({ agrees: false, invalid: [id] })
    expect(result.result.hours[0]).toMatchObject({ computed: { traffic: 0, storage: 0 }, problem: 'receipt' })
  })

  it.each<[string, Partial<ClaimsOf<'node_hour'>>]>([
    ['another device', { node: sampleNodeId('other') }],
    ['another owner', { sub: 'stranger' }],
    ['another day', { hour: DAY - 3600 }],
  ])('a genuine receipt is of %s', async (_, more) => {
    const receipt = fresh(nodeHour(0, more))
    const hours = statement.hours.map((hour, at) => (at === 0 ? { ...hour, receipt } : hour))
    expect(await check({ hours, receipt: null })).toMatchObject({ agrees: false })
  })

  it('the receipt of the day is another kind of receipt', async () => {
    const receipt = statement.hours[0]?.receipt ?? 0
    expect(await check({ receipt })).toMatchObject({ agrees: false, invalid: [receipt] })
  })

  it('the key is not that of the network, and says so', async () => {
    const { key } = createSampleNetwork('another')
    expect(await check({}, key.publicKey)).toMatchObject({ agrees: false, otherKey: true, verified: 0 })
  })
})

/** A receipt with the same claims, of another network. */
function foreign(id: number): unknown {
  const other = createSampleNetwork('another')
  other.issue(nodeHour(id - idOf(0)), { id })
  return other.file(0)
}
