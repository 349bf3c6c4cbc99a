import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { MiB } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPEN_PER_ACCOUNT, OPEN_PER_CLIENT_NETWORK } from '../../apps/server/src/storage/grants/grants.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { openUploads } from './content-refusals.ts'

/** What an account or a visitor can reserve without sending a byte. */

const LARGE = 104_000_000
const MINUTE = 60_000

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const newCid = async () => (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
const ask = (who: { token: string }, size?: number, more: object = {}) =>
  env.call('uploads.info', { ...(size !== undefined && { size }), ...more }, who)
const announce = (who: { token: string }, cid: string, size: number) =>
  env.call('assets.create', { asset_name: 'f', asset_type: 'folder', asset_size: size, asset_cid: cid }, who)
const used = async (who: { token: string }) => (await env.call('usage.storageSize', {}, who)).data
async function send(who: Person, traceId: string, size: number) {
  const cid = await newCid()
  const receipt = await node.receipt({ sub: who.uid, tid: traceId, cid, size })
  const file = { asset_name: 'a', asset_type: 'file' as const, asset_size: size, asset_cid: cid, receipt }
  return env.call('assets.create', file, who)
}

describe('the quota of an account', () => {
  it('is granted once: of two hundred uploads that would each fill it, one is granted', async () => {
    const person = await env.person()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(person, LARGE)))
    for (let more = 0; more < 182; more += 20)
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => ask(person, LARGE)))))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ err }) => err === 10004)).toHaveLength(answers.length - 1)
  })

  it('is free again after the upload is deleted, cancelled or expired', async () => {
    const person = await env.person()
    const first = await ask(person, LARGE)
    expect((await send(person, first.data.TraceID, LARGE)).code).toBe(0)
    expect((await ask(person, LARGE)).err).toBe(10004)
    const other = await env.person()
    const given = await ask(other, LARGE)
    await env.call('uploads.cancel', { trace_id: given.data.TraceID }, other)
    expect((await ask(other, LARGE)).code).toBe(0)
    expect((await ask(other, 60_000_000)).err).toBe(10004)
    env.pass(30 * MINUTE)
    expect((await ask(other, 60_000_000)).code).toBe(0)
  })

  it('is reserved once for a repeated request, and not for others who name its trace', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { data } = await ask(person, LARGE)
    const again = await ask(person, LARGE, { trace_id: data.TraceID })
    expect(again).toMatchObject({ code: 0, data: { TraceID: data.TraceID } })
    expect((await ask(person, LARGE - 1, { trace_id: data.TraceID })).err).toBe(10004)
    expect((await ask(other, LARGE, { trace_id: data.TraceID })).data.TraceID).not.toBe(data.TraceID)
    expect((await send(person, data.TraceID, LARGE)).code).toBe(0)
    expect((await ask(person, LARGE, { trace_id: data.TraceID })).err).toBe(10004)
  })

  it('is checked again when a cancelled upload is resumed', async () => {
    const person = await env.person()
    const begun = []
    for (let count = 0; count < 3; count++) {
      const { data } = await ask(person, LARGE)
      await env.call('uploads.cancel', { trace_id: data.TraceID }, person)
      begun.push(data.TraceID)
    }
    const again = await Promise.all(begun.map((trace_id) => ask(person, LARGE, { trace_id })))
    expect(again.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(again.filter(({ err }) => err === 10004)).toHaveLength(2)
  })

  it('is available to a client that starts over after a while', async () => {
    const person = await env.person()
    await ask(person, LARGE)
    env.pass(3 * MINUTE)
    expect((await ask(person, LARGE)).code).toBe(0)
    expect((await ask(person, LARGE)).err).toBe(10004)
  })

  it('allows a hundred files at once, of known and unknown size', async () => {
    for (const size of [MiB, undefined]) {
      const person = await env.person()
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask(person, size)))
      expect(answers.every(({ code }) => code === 0)).toBe(true)
    }
  })

  it('is free again when an announced asset is deleted', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const cid = await newCid()
    await announce(person, cid, LARGE)
    const remove = (who: Person) => env.call('assets.remove', { asset_cid: cid }, who)
    expect(await remove(other)).toMatchObject({ code: -1, err: 10028 })
    expect(await used(person)).toMatchObject({ ReservedSize: LARGE })
    expect(await remove(person)).toMatchObject({ code: 0, data: { complete: true } })
    expect(await used(person)).toMatchObject({ ReservedSize: 0, UsedSize: 0 })
    expect(await remove(person)).toMatchObject({ code: -1, err: 10028 })
    expect((await announce(person, cid, LARGE)).code).toBe(0)
  })
})

describe('uploads in progress', () => {
  it('may be five hundred files of a folder, and at most a thousand', async () => {
    const person = await env.person()
    await openUploads(env, person, 500)
    expect((await ask(person, 1)).code).toBe(0)
    await openUploads(env, person, OPEN_PER_ACCOUNT - 500)
    expect(await ask(person, 1)).toMatchObject({ code: -1, err: 1020 })
    expect(await announce(person, await newCid(), 1)).toMatchObject({ code: -1, err: 1020 })
    expect((await ask(await env.person(), 1)).code).toBe(0)
    env.pass(30 * MINUTE)
    expect((await ask(person, 1)).code).toBe(0)
  })

  it('are limited per network without an account, however they are announced', async () => {
    const from = { ip: '10.20.30.40' }
    const asked = () => env.call('tempFiles.uploadInfo', { size: 10 }, from)
    const created = async () =>
      env.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: await newCid() }, from)
    await openUploads(env, from, OPEN_PER_CLIENT_NETWORK - 2)
    expect([(await asked()).code, (await created()).code]).toEqual([0, 0])
    for (const answer of [await asked(), await created()]) expect(answer).toMatchObject({ code: -1, err: 1020 })
    expect((await env.call('tempFiles.uploadInfo', { size: 10 }, { ip: '10.20.30.41' })).code).toBe(0)
    env.pass(30 * MINUTE)
    expect((await asked()).code).toBe(0)
  })
})
