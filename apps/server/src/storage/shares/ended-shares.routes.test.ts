import { createHash } from 'node:crypto'
import { DOWNLOAD_TOKEN_LIFE, type DownloadClaims, endedShareText, WHOLE_ACCOUNT } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStats as stats } from '../../network/control/sample-registration.fixture.ts'
import { lastEnded } from '../../network/nodes/ended-shares.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())

let machines = 0
const elsewhere = () => ({ ip: `10.9.${Math.floor(++machines / 250)}.${machines % 250}` })

/** Ended shares that nodes receive. */
const heard = async (ended = 0, wait = 0) =>
  (await env.call('nodeControl.heartbeat', { stats, time: env.clock.now(), ended, wait }, node)).data.ended ?? []

/** The claims of another person's token. */
async function opened(owner: Person, cid: string, more: { group_id?: number; ticket?: string } = {}) {
  const answer = await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid, ...more }, elsewhere())
  expect(answer.code).toBe(0)
  return decodeJwt(new URL(answer.data?.url[0] ?? '').searchParams.get('token') as string) as unknown as DownloadClaims
}
const keyOf = (account: string, target: string) =>
  createHash('sha256').update(endedShareText(account, target)).digest('hex')
/** Whether a node refuses the token by now. */
const isOver = async ({ sub, cid, share = '', ended = 0 }: DownloadClaims) =>
  (await heard()).some(
    ({ id, key }) => id > ended && [share, cid, WHOLE_ACCOUNT].some((target) => key === keyOf(sub, target)),
  )

async function shared(owner: Person, terms: { short_pass?: string; expire_time?: number } = {}) {
  const { cid } = await sampleFile(env.db, owner.id, { nodes: [node] })
  const { data } = await env.call('shares.create', { cid, ...terms }, owner)
  await env.call('shares.setStatus', { cid }, owner)
  return { cid, id: data.id }
}
async function sharedFolder(owner: Person) {
  const folder = (await env.call('folders.create', { name: 'shared' }, owner)).data.group.ID
  const inner = (await env.call('folders.create', { name: 'inner', parent: folder }, owner)).data.group.ID
  const { cid } = await sampleFile(env.db, owner.id, { nodes: [node], folder: inner })
  await env.call('shares.create', { cid: String(folder) }, owner)
  await env.call('shares.setStatus', { cid: String(folder) }, owner)
  return { folder, inner, cid }
}

describe('a token issued through a share', () => {
  it.each([
    [
      'the file is not shared any more',
      (owner: Person, { cid }: { cid: string }) => env.call('shares.setStatus', { cid, status: 0 }, owner),
    ],
    ['the link is revoked', (owner: Person, { id }: { id: string }) => env.call('shares.revoke', { id }, owner)],
    [
      'the link gets a password',
      (owner: Person, { id }: { id: string }) => env.call('shares.update', { id, short_pass: 'abcdef' }, owner),
    ],
    [
      'the file is deleted',
      (owner: Person, { cid }: { cid: string }) => env.call('assets.remove', { asset_cid: cid }, owner),
    ],
  ])('ends when %s', async (_when, end) => {
    const owner = await env.person()
    const share = await shared(owner)
    const claims = await opened(owner, share.cid)
    expect(await isOver(claims)).toBe(false)
    expect((await end(owner, share)).code).toBe(0)
    expect(await isOver(claims)).toBe(true)
  })

  it.each([
    [
      'the folder is not shared any more',
      (owner: Person, { folder }: { folder: number }) =>
        env.call('shares.setStatus', { cid: String(folder), status: 0 }, owner),
    ],
    [
      'the folder is deleted',
      (owner: Person, { folder }: { folder: number }) =>
        env.call('folders.remove', { group_id: folder, force: true }, owner),
    ],
    [
      'a folder in it is deleted',
      (owner: Person, { inner }: { inner: number }) =>
        env.call('folders.remove', { group_id: inner, force: true }, owner),
    ],
    [
      'a folder in it is moved away',
      (owner: Person, { inner }: { inner: number }) =>
        env.call('folders.move', { group_id: inner, target_group_id: 0 }, owner),
    ],
    [
      'the file is moved away',
      (owner: Person, { cid }: { cid: string }) => env.call('assets.move', { asset_cid: cid, group_id: 0 }, owner),
    ],
  ])('for a folder ends when %s', async (_when, end) => {
    const owner = await env.person()
    const share = await sharedFolder(owner)
    const claims = await opened(owner, share.cid, { group_id: share.folder })
    expect(await isOver(claims)).toBe(false)
    expect((await end(owner, share)).code).toBe(0)
    expect(await isOver(claims)).toBe(true)
  })

  it('ends when an item shared without terms gets a link with a password', async () => {
    const owner = await env.person()
    const { cid } = await sampleFile(env.db, owner.id, { nodes: [node] })
    await env.call('shares.setStatus', { cid }, owner)
    const claims = await opened(owner, cid)
    expect((await env.call('shares.create', { cid, short_pass: 'abcdef' }, owner)).code).toBe(0)
    expect(await isOver(claims)).toBe(true)
  })

  it('ends when the account is locked, and so do the tokens of its API keys', async () => {
    const [owner, operator] = [await env.person(), await env.person({ role: 'operator' })]
    const share = await shared(owner)
    const key = { token: await env.key(owner, 'admin') }
    const { url } = (await env.call('downloads.own', { asset_cid: share.cid }, key)).data
    const own = decodeJwt(new URL(url[0] ?? '').searchParams.get('token') as string) as unknown as DownloadClaims
    const claims = [await opened(owner, share.cid), own]
    for (const each of claims) expect(await isOver(each)).toBe(false)
    expect(await env.call('admin.lock', { uid: owner.uid, reason: 'spam' }, operator)).toMatchObject({ code: 0 })
    for (const each of claims) expect(await isOver(each)).toBe(true)
  })

  it('ends at once on a waiting node; later tokens are not affected', async () => {
    const owner = await env.person()
    const share = await shared(owner)
    const before = await opened(owner, share.cid)
    const known = Math.max(0, ...(await heard()).map(({ id }) => id))
    const waiting = heard(known, 25)
    await env.call('shares.setStatus', { cid: share.cid, status: 0 }, owner)
    expect(await waiting).toContainEqual(expect.objectContaining({ key: keyOf(owner.uid, share.cid) }))
    await env.call('shares.setStatus', { cid: share.cid, status: 1 }, owner)
    expect(await isOver(await opened(owner, share.cid))).toBe(false)
    expect(await isOver(before)).toBe(true)
  })

  it('ends without revealing account or content to nodes', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner)
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    const told = JSON.stringify(await heard())
    for (const secret of [owner.uid, cid]) expect(told).not.toContain(secret)
  })

  it('ends at once while another account ends thousands', async () => {
    const owner = await env.person()
    const share = await shared(owner)
    const claims = await opened(owner, share.cid)
    await env.db.run(
      sql`insert into ended_shares (account, target) select 'a', n::text from generate_series(1, 2500) n`,
    )
    const known = await lastEnded(env.db)
    await env.call('shares.setStatus', { cid: share.cid, status: 0 }, owner)
    expect((await heard(known)).map(({ key }) => key)).toContain(keyOf(claims.sub, share.cid))
    await env.db.run(sql`delete from ended_shares where account = 'a'`)
  })

  it('expires with its link, or after an hour without an expiry', async () => {
    const owner = await env.person()
    const end = Math.floor(env.clock.now() / 1000) + 120
    const brief = await opened(owner, (await shared(owner, { expire_time: end })).cid)
    expect(brief.exp).toBeLessThanOrEqual(end)
    const long = await opened(owner, (await shared(owner)).cid)
    expect(long.exp).toBeGreaterThan((env.clock.now() + DOWNLOAD_TOKEN_LIFE) / 1000 - 60)
  })

  it("does not end the owner's tokens", async () => {
    const owner = await env.person()
    const { cid } = await shared(owner)
    const { data } = await env.call('downloads.own', { asset_cid: cid }, owner)
    expect(decodeJwt(new URL(data?.url[0] ?? '').searchParams.get('token') as string)).not.toHaveProperty('share')
    const others = await env.person()
    const other = await opened(others, (await shared(others)).cid)
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    expect(await isOver(other)).toBe(false)
  })
})

describe('more ended shares than one answer holds', () => {
  it('are sent with the next heartbeats, and a node learns when it has all', async () => {
    await env.db.run(
      sql`insert into ended_shares (account, target) select 'u', i::text from generate_series(1, 2001) i`,
    )
    const beat = async (ended: number) =>
      (await env.call('nodeControl.heartbeat', { stats, time: env.clock.now(), ended }, node)).data
    const first = await beat(0)
    expect(first.ended_more).toBe(true)
    const known = Math.max(...(first.ended ?? []).map(({ id }) => id))
    // Recent ends are repeated until they are ten seconds old.
    await env.db.run(sql`update ended_shares set noted_at = now() - interval '1 minute'`)
    const second = await beat(known)
    expect(second.ended_more).toBe(false)
    expect(Math.max(...(second.ended ?? []).map(({ id }) => id))).toBe(await lastEnded(env.db))
  })
})
