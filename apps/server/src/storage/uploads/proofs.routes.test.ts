import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleUploads } from './sample-uploads.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  await env.node()
})
afterAll(() => env.close())

const { cidOf, stored } = sampleUploads(() => env)

describe('creating an asset with a proof of possession', () => {
  const proofFor = (person: { uid: string }, cid: string) =>
    new SignJWT({ cid })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(person.uid)
      .setAudience('proof')
      .setExpirationTime(Math.floor(env.clock.now() / 1000) + 600)
      .sign(env.context.keys.shareToken)
  const put = (cid: string, more: { proof?: string; trace_id?: string }) => ({
    asset_name: 'mine too',
    asset_type: 'file' as const,
    asset_size: 12,
    asset_cid: cid,
    ...more,
  })
  const traces = (person: { uid: string }) =>
    env.db.rows<{ name: string }>(
      sql`select name, cid, state, closed_at is null as open from traces where account = ${person.uid}`,
    )
  const closed = (cid: string) => ({ name: 'mine too', cid, state: 1, open: false })

  it('is complete at once: no upload, and a closed trace', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await stored(owner, 'held by both')
    const proof = await proofFor(other, cid)
    expect((await env.call('assets.create', put(cid, { proof }), other)).data).toEqual([])
    expect(await traces(other)).toEqual([closed(cid)])
    const { data } = await env.call('traces.list', {}, other)
    expect(data.list).toMatchObject([{ name: 'mine too', cid, state: 1, total_size: 0 }])
  })

  it('closes the trace of the request for nodes and opens no other, even if the client never reports', async () => {
    const [owner, other] = [await env.person(), await env.person({ storageQuota: 20 })]
    const { cid } = await stored(owner, 'asked first ')
    const info = (await env.call('uploads.info', { size: 12, proof: true }, other)).data
    const trace_id = info.TraceID
    await env.call('assets.create', put(cid, { proof: await proofFor(other, cid), trace_id }), other)
    expect(await traces(other)).toEqual([closed(cid)])
    expect((await env.call('traces.get', { trace_id }, other)).data).toMatchObject({ name: 'mine too', state: 1 })
    // The reservation of the upload has ended with it.
    expect((await env.call('uploads.info', { size: 8 }, other)).code).toBe(0)
  })

  it('closes that trace for a file that the account has, too', async () => {
    const owner = await env.person()
    const { cid } = await stored(owner, 'had before  ')
    const trace_id = (await env.call('uploads.info', { size: 12 }, owner)).data.TraceID
    expect(await env.call('assets.create', put(cid, { trace_id }), owner)).toMatchObject({ err: 1017 })
    expect((await traces(owner)).filter((trace) => trace.name === 'mine too')).toEqual([closed(cid)])
    expect((await env.call('traces.get', { trace_id }, owner)).data).toMatchObject({ name: 'mine too', state: 1 })
  })

  it('changes no trace that is closed, has bytes or a name, is a download, or is of another account', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const ask = async (person: typeof owner) => (await env.call('uploads.info', { size: 12 }, person)).data.TraceID
    const sent = await ask(other)
    const node = await env.node()
    await env.call(
      'nodeControl.receipts',
      { receipts: [await node.receipt({ sub: other.uid, cid: await cidOf('sent'), size: 4, tid: sent })] },
      { token: node.token },
    )
    const foreign = await ask(owner)
    const reported = await ask(other)
    await env.call('traces.report', { trace_id: reported, state: 2, transfer_type: 'upload' }, other)
    const taken = [sent, foreign, reported, 't'.repeat(27), "' or true --"]
    for (const [index, trace_id] of taken.entries()) {
      const { cid } = await stored(await env.person(), `number ${index}    `)
      const proof = await proofFor(other, cid)
      expect(await env.call('assets.create', put(cid, { proof, trace_id }), other)).toMatchObject({ code: 0 })
    }
    const states = await env.db.rows<{ id: string; state: number; name: string }>(
      sql`select id, state, name from traces where id = any(${[sent, foreign, reported]})`,
    )
    expect(Object.fromEntries(states.map(({ id, state, name }) => [id, `${state}${name}`]))).toEqual({
      [sent]: '0',
      [foreign]: '0',
      [reported]: '2',
    })
  })
})
