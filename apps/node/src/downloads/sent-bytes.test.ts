import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SampleDownloads, sampleDownloads } from './sample-downloads.fixture.ts'

let env: SampleDownloads['env']
let get: SampleDownloads['get']
let file: SampleDownloads['file']
let small: SampleDownloads['small']
beforeAll(async () => {
  ;({ env, get, file, small } = await sampleDownloads())
})
afterAll(() => env.stop())

describe('sent bytes', () => {
  const served = (trace: string) =>
    env.server
      .of('served')
      .flatMap(
        ({ transfers }) =>
          transfers as { trace_id: string; bytes: number; requests: number; peak: number; account: string }[],
      )
      .filter((transfer) => transfer.trace_id === trace)
  const total = (trace: string) => served(trace).reduce((sum, transfer) => sum + transfer.bytes, 0)

  it('are reported by transfer', async () => {
    const arrived = env.server.until(() => total('t-ranges') >= 1300)
    for (const range of ['bytes=0-999', 'bytes=1000-1299'])
      await get(`/ipfs/${file.cid}`, { claims: { sub: 'owner', tid: 't-ranges' }, headers: { range } })
    await arrived
    expect(total('t-ranges')).toBe(1300)
    expect(served('t-ranges').every((transfer) => transfer.account === 'owner')).toBe(true)
    expect(served('t-ranges').reduce((sum, transfer) => sum + transfer.requests, 0)).toBe(2)
  })

  it('are reported with the speed of the network, not of filling a buffer', async () => {
    const arrived = env.server.until(() => total('t-speed') > 0)
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { tid: 't-speed' } })
    await arrived
    for (const { peak, bytes } of served('t-speed')) expect(peak).toBeLessThanOrEqual(bytes * 10)
  })

  it('are not counted between nodes, for HEAD requests, and if not sent', async () => {
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { typ: 'pull', tid: 't-none' } })
    await get(`/ipfs/${small.cid}?format=raw`, { as: small.cid, claims: { typ: 'audit', tid: 't-none' } })
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { tid: 't-none' }, method: 'HEAD' })
    const arrived = env.server.until(() => total('t-some') > 0)
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { tid: 't-some' } })
    await arrived
    expect(total('t-none')).toBe(0)
  })
})
