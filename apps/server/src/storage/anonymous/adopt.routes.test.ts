import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import { errors } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { clean, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const refused = (key: keyof typeof errors) => ({ code: -1, err: errors[key].err })
let networks = 0

/** A file that was uploaded without an account, and the trace that only the uploader has. */
async function upload({ size = 30, publish = true } = {}): Promise<{ cid: string; trace_id: string }> {
  networks += 1
  const as = { ip: `10.5.${networks}.1` }
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  const info = await env.call('tempFiles.uploadInfo', { size }, as)
  const { sub, tid } = decodeJwt<{ tid: string }>(info.data.List[0]?.Token as string)
  const receipt = await node.receipt({ sub: sub as string, tid, cid, size })
  await env.call('nodeControl.receipts', { receipts: [receipt] }, node)
  if (publish) await env.call('tempFiles.create', { asset_name: 'notes.txt', asset_cid: cid, asset_size: size }, as)
  return { cid, trace_id: info.data.TraceID }
}

describe('an anonymous file', () => {
  it('is added to the account of whoever uploaded it, and stays when the anonymous file has expired', async () => {
    const [owner, file] = [await env.person(), await upload()]
    expect((await env.call('tempFiles.adopt', file, owner)).data).toEqual({ adopted: true })
    expect((await env.call('tempFiles.adopt', file, owner)).data).toEqual({ adopted: false })
    await env.db.run(sql`update temp_files set expires_at = ${new Date(env.clock.now())} where cid = ${file.cid}`)
    await clean(env.context)
    expect(await env.call('tempFiles.download', { cid: file.cid })).toMatchObject(refused('notFound'))
    const { data } = await env.call('downloads.own', { asset_cid: file.cid }, owner)
    expect(data.url[0]).toContain(file.cid)
    const used = await env.db.one(sql`select used_bytes from users where id = ${owner.id}`)
    expect(used).toEqual({ used_bytes: 30 })
  })

  it('keeps its name, and its link until it expires', async () => {
    const [owner, file] = [await env.person(), await upload()]
    await env.call('tempFiles.adopt', file, owner)
    const rows = await env.db.rows(sql`select name from assets where user_id = ${owner.id}`)
    expect(rows).toEqual([{ name: 'notes.txt' }])
    expect((await env.call('tempFiles.download', { cid: file.cid })).code).toBe(0)
  })
})

describe('refused are', () => {
  it('people who only have the link, with no trace, a guessed one, or that of their own upload', async () => {
    const [stranger, file, own] = [await env.person(), await upload(), await upload()]
    for (const trace_id of ['x', own.trace_id, file.cid])
      expect(await env.call('tempFiles.adopt', { cid: file.cid, trace_id }, stranger)).toMatchObject(
        refused('notFound'),
      )
    expect(await env.call('tempFiles.adopt', { cid: file.cid, trace_id: '' }, stranger)).toMatchObject({ code: -1 })
    expect(await env.db.rows(sql`select 1 from assets where user_id = ${stranger.id}`)).toEqual([])
  })

  it('files that were never published or have expired', async () => {
    const [owner, hidden, late] = [await env.person(), await upload({ publish: false }), await upload()]
    expect(await env.call('tempFiles.adopt', hidden, owner)).toMatchObject(refused('notFound'))
    await env.db.run(sql`update temp_files set expires_at = ${new Date(env.clock.now())} where cid = ${late.cid}`)
    expect(await env.call('tempFiles.adopt', late, owner)).toMatchObject(refused('notFound'))
  })

  it('files that do not fit, and callers with an API key or without an account', async () => {
    const [owner, file] = [await env.person(), await upload()]
    await env.db.run(sql`update users set storage_quota = 20 where id = ${owner.id}`)
    expect(await env.call('tempFiles.adopt', file, owner)).toMatchObject(refused('quotaExceeded'))
    const key = { token: await env.key(owner, 'admin') }
    expect(await env.call('tempFiles.adopt', file, key)).toMatchObject(refused('forbidden'))
    expect((await env.call('tempFiles.adopt', file, {})).code).toBe(401)
  })
})
