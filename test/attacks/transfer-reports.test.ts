import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { contentCalls } from './content-calls.ts'

let env: TestEnv
let owner: Person
let attacker: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
  owner = await env.person()
  attacker = await env.person()
})
afterAll(() => env.close())

const { stored } = contentCalls(() => ({ env, node }))

const used = async (who: { token: string }) => (await env.call('usage.storageSize', {}, who)).data

describe('a transfer report', () => {
  const report = (input: object, as: object = {}) =>
    env.call('traces.report', { transfer_type: 'download', state: 1, ...input }, as)
  const trace = async () => {
    const { cid } = await stored(owner)
    return { cid, id: (await env.call('downloads.own', { asset_cid: cid }, owner)).data.trace_id }
  }

  it('counts for the caller, whatever account it names', async () => {
    const { id, cid } = await trace()
    for (const as of [attacker, {}])
      expect(await report({ trace_id: id, user_id: owner.uid, cid, rate: 666 }, as)).toMatchObject({
        code: -1,
        err: 1028,
      })
    const mine = await report({ user_id: owner.uid, cid }, attacker)
    expect(await env.call('traces.get', { trace_id: mine.data.trace_id }, owner)).toMatchObject({
      code: -1,
      err: 1000,
    })
    expect((await env.call('traces.get', { trace_id: id }, owner)).data.rate).toBe(0)
  })

  it('accepts zero durations, extreme numbers and invalid times', async () => {
    const { id } = await trace()
    const detail = {
      node_id: node.id,
      state: 1,
      transfer_type: 'download',
      size: 1e15,
      start_at: 5,
      end_at: 5,
      status_code: 200,
      error: '',
    }
    const extreme = { rate: 1e300, cost_ms: 0, total_size: 9e15, first_byte_time: -7, available_bandwidth: 'many' }
    const details = [detail, { ...detail, start_at: 9e15, end_at: 0 }, { ...detail, node_id: 'nobody' }]
    expect((await report({ trace_id: id, ...extreme, details }, owner)).code).toBe(0)
    const { data } = await env.call('traces.get', { trace_id: id }, owner)
    for (const value of [data.rate, data.cost_ms, data.first_byte_time, data.available_bandwidth])
      expect(Number.isSafeInteger(value) && value >= 0).toBe(true)
    expect(data.details.every(({ start_at, end_at }) => Number(end_at) >= Number(start_at))).toBe(true)
    expect((await report({ trace_id: id, details: [] }, owner)).code).toBe(0)
    expect((await report({ trace_id: '', details: null, log: null }, owner)).code).toBe(0)
  })

  it('counts no download traffic, which only nodes report', async () => {
    const { id } = await trace()
    const before = (await used(owner)).UsedTraffic
    await report({ trace_id: id, total_size: 10 ** 12 }, owner)
    expect((await used(owner)).UsedTraffic).toBe(before)
  })

  it('does not overwrite a finished transfer, concurrently or later', async () => {
    const { id } = await trace()
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => report({ trace_id: id, rate: index + 1, cost_ms: 10 }, owner)),
    )
    const { rate } = (await env.call('traces.get', { trace_id: id }, owner)).data
    await report({ trace_id: id, state: 2, rate: 777_777, cost_ms: 1 }, owner)
    expect((await env.call('traces.get', { trace_id: id }, owner)).data).toMatchObject({ rate, state: 1 })
  })
})
