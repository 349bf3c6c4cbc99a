import { randomUUID } from 'node:crypto'
import type { ReportedUpload, UploadClaims } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendHeartbeat } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** How long an upload reserves quota: for accounts that announce and send nothing, and for nodes that report bytes that do not arrive. */

const LARGE = 104_000_000
const MINUTE = 60_000
const BEAT = 25_000

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>

/** A node in a country of its own, so that uploads there go to it alone. */
async function nodeIn(country: string, more: { kind?: 'edge'; reports?: boolean } = {}): Promise<Node> {
  const { reports = true, ...facts } = more
  const node = await env.node({ area: `Europe-${country}-State-City`, ...facts })
  await sendHeartbeat(env, node, reports ? { uploads: [] } : {})
  return node
}

const ask = (who: Person, country: string, more: object = {}) =>
  env.call('uploads.info', { size: LARGE, area_id: [country], ...more }, who)
/** Whether the quota has no room for a second upload. */
const isHeld = async (who: Person, country: string) => {
  // Not of the same size: that one would replace the first.
  const { code, err, data } = await ask(who, country, { size: LARGE - 1 })
  if (code === 0) await env.call('uploads.cancel', { trace_id: data.TraceID }, who)
  else expect(err).toBe(10004)
  return code !== 0
}

/** An upload to the only node of a country, as its node would report it. */
async function begin(who: Person, country: string) {
  const { data } = await ask(who, country)
  const { tid, jti } = decodeJwt<UploadClaims>(data.List[0]?.Token ?? '')
  return { traceId: data.TraceID, report: (bytes: number): ReportedUpload => ({ trace_id: tid, jti, bytes }) }
}

/** Sends heartbeats with `rate` more bytes per second, for some minutes. @returns the bytes at the end */
async function arrive(node: Node, upload: { report(bytes: number): ReportedUpload }, rate: number, minutes: number) {
  let bytes = 0
  for (let passed = 0; passed < minutes * MINUTE; passed += BEAT) {
    env.pass(BEAT)
    bytes += rate * (BEAT / 1000)
    await sendHeartbeat(env, node, { uploads: [upload.report(Math.floor(bytes))] })
  }
  return Math.floor(bytes)
}

describe('the quota of an upload', () => {
  it('is free again after five minutes without bytes', async () => {
    const person = await env.person()
    await nodeIn('Silentia')
    await begin(person, 'Silentia')
    env.pass(4 * MINUTE)
    expect(await isHeld(person, 'Silentia')).toBe(true)
    env.pass(2 * MINUTE)
    expect(await isHeld(person, 'Silentia')).toBe(false)
  })

  it('is held while bytes arrive, however slow the link is, and no longer', async () => {
    const person = await env.person()
    const node = await nodeIn('Slowia')
    const upload = await begin(person, 'Slowia')
    await arrive(node, upload, 20_000, 60)
    expect(await isHeld(person, 'Slowia')).toBe(true)
    env.pass(6 * MINUTE)
    expect(await isHeld(person, 'Slowia')).toBe(false)
  })

  it('is held again for an upload that is resumed after a pause', async () => {
    const person = await env.person()
    const node = await nodeIn('Pausia')
    const upload = await begin(person, 'Pausia')
    const before = await arrive(node, upload, 20_000, 10)
    env.pass(600 * MINUTE)
    expect((await ask(person, 'Pausia', { trace_id: upload.traceId })).data.TraceID).toBe(upload.traceId)
    await arrive(node, { report: (bytes) => upload.report(before + bytes) }, 20_000, 20)
    expect(await isHeld(person, 'Pausia')).toBe(true)
  })

  it('is not held by a few bytes at a time, nor by bytes that were reported before', async () => {
    for (const [country, rate] of [
      ['Dripland', 1 / 60],
      ['Dropland', 900],
      ['Stillland', 0],
    ] as const) {
      const person = await env.person()
      const node = await nodeIn(country)
      const upload = await begin(person, country)
      await sendHeartbeat(env, node, { uploads: [upload.report(1_000_000)] })
      await arrive(node, { report: (bytes) => upload.report(1_000_000 + bytes) }, rate, 10)
      expect(await isHeld(person, country), country).toBe(false)
    }
  })

  it('is not held by nodes without its token, under another trace, or with more bytes than were announced', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const [node, stranger] = [await nodeIn('Honestia'), await nodeIn('Foreignia')]
    const upload = await begin(person, 'Honestia')
    const foreign = await begin(other, 'Foreignia')
    for (let beat = 1; beat <= 30; beat++) {
      env.pass(BEAT)
      const bytes = beat * 1_000_000
      await sendHeartbeat(env, stranger, { uploads: [upload.report(bytes)] })
      await sendHeartbeat(env, node, {
        uploads: [
          { ...upload.report(bytes), trace_id: foreign.traceId },
          { ...upload.report(bytes), jti: randomUUID() },
          upload.report(LARGE + bytes),
        ],
      })
    }
    expect(await isHeld(person, 'Honestia')).toBe(false)
    expect(await isHeld(other, 'Foreignia')).toBe(false)
  })

  it('is not held again after the upload was cancelled', async () => {
    const person = await env.person()
    const node = await nodeIn('Cancelia')
    const upload = await begin(person, 'Cancelia')
    await env.call('uploads.cancel', { trace_id: upload.traceId }, person)
    await arrive(node, upload, 1_000_000, 1)
    expect(await isHeld(person, 'Cancelia')).toBe(false)
  })

  it('is held by the word of an edge for as long as its bytes take at the usual minimum rate, at most', async () => {
    const person = await env.person()
    const edge = await nodeIn('Edgeland', { kind: 'edge' })
    const upload = await begin(person, 'Edgeland')
    await arrive(edge, upload, 2000, 15)
    expect(await isHeld(person, 'Edgeland')).toBe(true)
    await arrive(edge, { report: (bytes) => upload.report(2_000_000 + bytes) }, 2000, 15)
    expect(await isHeld(person, 'Edgeland')).toBe(false)
  })

  it('is held by the word of an edge for a day at most, however large the upload is', async () => {
    const person = await env.person({ vip: true, storageQuota: 1e12 })
    const edge = await nodeIn('Dayland', { kind: 'edge' })
    const { data } = await ask(person, 'Dayland', { size: 100_000_000_000 })
    const { tid, jti } = decodeJwt<UploadClaims>(data.List[0]?.Token ?? '')
    const isOpen = async () =>
      (await env.db.maybe(sql`
        select 1 from upload_grants where trace_id = ${tid} and open_until > ${new Date(env.clock.now())}`)) !==
      undefined
    const arriveFor = async (hours: number, from: number) => {
      for (let minute = 4; minute <= hours * 60; minute += 4) {
        env.pass(4 * MINUTE)
        const bytes = (from * 60 + minute) * 60 * 2000
        await sendHeartbeat(env, edge, { uploads: [{ trace_id: tid, jti, bytes }] })
      }
    }
    await arriveFor(23, 0)
    expect(await isOpen()).toBe(true)
    await arriveFor(2, 23)
    expect(await isOpen()).toBe(false)
  })

  it('is held for the transfer time at a node that does not report bytes', async () => {
    const person = await env.person()
    await nodeIn('Oldland', { reports: false })
    await begin(person, 'Oldland')
    env.pass(20 * MINUTE)
    expect(await isHeld(person, 'Oldland')).toBe(true)
    env.pass(5 * MINUTE)
    expect(await isHeld(person, 'Oldland')).toBe(false)
  })
})
