import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv, type TestNode } from '../test-env.fixture.ts'

let env: TestEnv
afterEach(() => env?.close())

/** A file on two slow nodes. */
async function setup() {
  env = await startTestEnv({ nodes: 2 })
  const bytes = someBytes(24_000_000)
  const { cid } = ok(await env.storage().uploadAsset(bytes, { name: 'a.bin' }))
  const [first, ...others] = env.nodes as [TestNode, ...TestNode[]]
  for (const node of others) node.contents.set(cid, first.contents.get(cid)!)
  for (const { knobs } of env.nodes) knobs.slow = 10
  env.calls.length = 0
  return { bytes, cid, nodes: env.nodes }
}

/** Collects a download. A stream gets small chunks, of which some begin late. */
function collector() {
  const pieces: Uint8Array[] = []
  const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
  return { to: { stream }, bytes: () => Buffer.concat(pieces) }
}

function ok<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

describe('a download that takes longer than its tokens are valid', () => {
  /** The portal gives new tokens each time, and nodes accept only the latest. */
  const expiring = (name: string, refusal?: (times: number, input: Record<string, unknown>) => unknown) => {
    let times = 0
    env.answers.set(name, (input) => {
      times += 1
      const refused = refusal?.(times, input)
      if (refused) return refused
      for (const { knobs } of env.nodes) knobs.token = `token ${times}`
      const cid = String(input.asset_cid)
      const url = env.nodes.map((node) => `${node.url}/ipfs/${cid}?token=${encodeURIComponent(`token ${times}`)}`)
      return { ...env.addresses(cid), url, trace_id: `trace ${times}` }
    })
    return () => times
  }

  it('gets new ones, and each of its traces is reported and signed with what it received', async () => {
    const { cid, bytes, nodes } = await setup()
    const times = expiring('share_asset')
    const storage = env.storage({}, { limits: { renew: 100 } })
    const got = collector()
    ok(await storage.downloadAsset({ assetCid: cid, to: got.to }))
    expect(got.bytes().equals(bytes)).toBe(true)
    expect(times()).toBeGreaterThan(1)
    const reports = env.called('report') as { trace_id: string; total_size: number; state: number }[]
    expect(reports.map(({ trace_id }) => trace_id)).toEqual(reports.map((_, index) => `trace ${index + 1}`))
    expect(reports).toHaveLength(times())
    expect(reports.reduce((sum, { total_size }) => sum + total_size, 0)).toBe(bytes.length)
    const last = new Map(nodes.flatMap(({ id, received }) => received.map((one) => [`${id} ${one.token}`, one.bytes])))
    expect([...last.values()].reduce((sum, size) => sum + size, 0)).toBe(bytes.length)
  })

  it('opens its link again, and ends with the reason if the link does not open any more', async () => {
    const { cid, bytes } = await setup()
    const storage = env.storage({ token: '' }, { limits: { renew: 100 } })
    const needed = { code: -1, err: 2059, msg: 'A password is needed.', data: {} }
    let valid = 'ticket 1'
    expiring('open_asset', (times, { ticket }) => {
      // It expires after each answer.
      if (ticket !== valid) return needed
      valid = `ticket ${times + 1}`
    })
    const shared = { assetCid: cid, userId: 's:harbour', groupId: 1, ticket: 'ticket 1' }
    const renewTicket = async () => ({ code: 0 as const, msg: '', data: { ticket: valid } })
    const got = collector()
    ok(await storage.downloadAsset({ ...shared, renewTicket, to: got.to }))
    expect(got.bytes().equals(bytes)).toBe(true)
    valid = 'ticket 1'
    const gone = async () => ({ code: -1, msg: 'It was revoked.', data: { err: 1000 } })
    const refused = await storage.downloadAsset({ ...shared, renewTicket: gone, to: collector().to })
    expect(refused).toMatchObject({ msg: 'It was revoked.' })
  })
})
