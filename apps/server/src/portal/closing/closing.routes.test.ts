import { createHash, randomBytes } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { CLOSING_LIFE, endedShareText, errors, errorText, WHOLE_ACCOUNT } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { beginErasing, cancelClosing } from '../../identity/index.ts'
import { signedIn } from '../../identity/second-factors/sample-person.fixture.ts'
import { sampleStats as stats } from '../../network/control/sample-registration.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { endSharesOf } from '../../storage/index.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { eraseDue } from './erase.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

/** The claims of a token that name its account. */
interface TokenClaims {
  sub: string
  ended?: number
}
const claimsOf = (url: string) => decodeJwt<TokenClaims>(new URL(url).searchParams.get('token') ?? '')
const endedKey = (uid: string) => createHash('sha256').update(endedShareText(uid, WHOLE_ACCOUNT)).digest('hex')

/** Servers cache who a caller is for half a second. */
const CACHED = 1000
const start = (person: Person, more: { confirm?: string; give_up_points?: boolean } = {}) =>
  env.call('closing.start', { confirm: person.email, ...more }, person)
const state = async (person: Person) => (await env.call('closing.state', {}, person)).data
const erase = () => eraseDue(env.context, features, new AbortController().signal)
const givePoints = (person: Person, points: number) =>
  env.db.run(sql`
    insert into point_entries (user_id, points, kind, reason, created_at) values (${person.id}, ${points}, 'granted', '', now())`)

/** The calls that answer with upload tokens. */
const uploads = [
  (person: Person) => env.call('uploads.info', { size: 10 }, person),
  (person: Person) => env.call('folderUploads.info', { name: 'a', files: [{ item: 0, size: 10 }] }, person),
  async (person: Person) =>
    env.call(
      'assets.create',
      { asset_name: 'a', asset_type: 'file', asset_size: 10, asset_cid: (await rawCid(randomBytes(10))).toString() },
      person,
    ),
]
/** The claims of all tokens in an answer. */
const tokensIn = (answer: unknown): TokenClaims[] =>
  [...JSON.stringify(answer).matchAll(/"Token":"([^"]+)"/g)].map(([, token = '']) => decodeJwt<TokenClaims>(token))

describe('an account is scheduled for deletion', () => {
  it('in seven days, by its owner, who gets an e-mail, and sees it at every sign-in', async () => {
    const person = await env.person()
    const { data } = await start(person)
    const days = (Date.parse(data.closing_at) - env.clock.now()) / CLOSING_LIFE
    expect(days).toBeCloseTo(1, 3)
    env.pass(CACHED)
    expect(await state(person)).toMatchObject({ closing_at: data.closing_at })
    expect((await env.call('accounts.vipInfo', {}, person)).data).toMatchObject({ closing_at: data.closing_at })
    expect((await inbox(env, person.email))[0]?.text).toContain('/closeAccount')
  })

  it('and its other sessions, its API keys and its shares end to work at once', async () => {
    const [person, visitor] = [await env.person(), await env.person()]
    const { token: elsewhere } = await signedIn(env, person)
    const key = await env.key(person, 'admin')
    const { cid } = await sampleFile(env.db, person.id)
    const { id } = (await env.call('shares.create', { cid }, person)).data
    await env.call('shares.setStatus', { cid, status: 1 }, person)
    const open = () => env.call('shares.check', { username: person.uid, cid, password: '' }, visitor)
    const { url } = (await env.call('shortLinks.create', { cid }, person)).data
    const target = () => env.call('shares.target', { id })
    const short = () => env.call('shortLinks.open', { token: url.split('/').at(-1) ?? '' }, visitor)
    expect([(await open()).code, (await target()).code, (await short()).code]).toEqual([0, 0, 0])
    await start(person)
    env.pass(CACHED)
    expect(await env.call('accounts.info', {}, { token: key })).toMatchObject({ code: 401 })
    expect((await open()).code).not.toBe(0)
    expect((await target()).code).not.toBe(0)
    expect((await short()).code).not.toBe(0)
    expect(await env.call('accounts.info', {}, { token: elsewhere })).toMatchObject({ code: 401 })
    // The session that asked for it, and those of others, go on.
    for (const each of [person, visitor]) expect(await env.call('accounts.info', {}, each)).toMatchObject({ code: 0 })
  })

  it('and nodes learn that tokens of its shares have ended', async () => {
    const person = await env.person()
    const files = [await sampleFile(env.db, person.id), await sampleFile(env.db, person.id)]
    for (const { cid } of files) {
      await env.call('shares.create', { cid }, person)
      await env.call('shares.setStatus', { cid, status: 1 }, person)
    }
    await endSharesOf(env.db, person.id)
    const ended = await env.db.rows<{ target: string }>(
      sql`select distinct target from ended_shares where account = ${person.uid} and target <> ${WHOLE_ACCOUNT}`,
    )
    expect(ended.map(({ target }) => target).sort()).toEqual(files.map(({ cid }) => cid).sort())
  })

  it('and every token that its sessions and API keys got for nodes ends at once, until it is kept', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const node = await env.node({ url: 'http://127.0.0.1:7001' })
    const key = { token: await env.key(person, 'admin') }
    const files = [await sampleFile(env.db, person.id, { nodes: [node] })]
    const theirs = await sampleFile(env.db, stranger.id, { nodes: [node] })
    const download = async (as: As, { cid }: { cid: string }) =>
      claimsOf((await env.call('downloads.own', { asset_cid: cid }, as)).data.url[0] ?? '')
    const upload = async (as: As) =>
      decodeJwt<TokenClaims>((await env.call('uploads.info', { size: 10 }, as)).data.List[0]?.Token ?? '')
    const all = async (as: As) => [await download(as, files[0] as { cid: string }), await upload(as)]
    const ends = async () =>
      (await env.call('nodeControl.heartbeat', { stats, time: env.clock.now() }, node)).data.ended
    const isOver = async ({ sub, ended = 0 }: TokenClaims) =>
      (await ends())?.some((end) => end.id > ended && end.key === endedKey(sub)) ?? false

    const before = [...(await all(key)), ...(await all(person))]
    const other = await download(stranger, theirs)
    for (const claims of before) expect(await isOver(claims)).toBe(false)
    await start(person)
    for (const claims of before) expect(await isOver(claims)).toBe(true)
    expect(await isOver(other)).toBe(false)

    expect(await env.call('closing.cancel', {}, person)).toMatchObject({ code: 0 })
    env.pass(CACHED)
    for (const claims of await all(key)) expect(await isOver(claims)).toBe(false)
    for (const claims of before) expect(await isOver(claims)).toBe(true)
  })

  it('and it gets no new upload tokens, however its session asks for them, until it is kept', async () => {
    const person = await env.person()
    await env.node({ url: 'http://127.0.0.1:7001' })
    await start(person)
    const closing = { code: -1, err: 1028, msg: errorText('accountClosing', 'en') }
    for (const ask of uploads) expect(await ask(person)).toMatchObject(closing)
    await env.call('closing.cancel', {}, person)
    for (const ask of uploads) expect(await ask(person)).toMatchObject({ code: 0 })
  })

  it('and of an upload and the request at the same time, no token outlives the request', async () => {
    const node = await env.node({ url: 'http://127.0.0.1:7001' })
    const granted: TokenClaims[] = []
    for (let round = 0; round < 10; round++) {
      const person = await env.person()
      const [answers] = await Promise.all([Promise.all(uploads.map((ask) => ask(person))), start(person)])
      granted.push(...answers.flatMap(tokensIn))
    }
    const { ended = [] } = (await env.call('nodeControl.heartbeat', { stats, time: env.clock.now() }, node)).data
    const isOver = ({ sub, ended: known = 0 }: TokenClaims) =>
      ended.some(({ id, key }) => id > known && key === endedKey(sub))
    expect(granted.filter((claims) => !isOver(claims))).toEqual([])
  })

  it.each([
    ['closed', sql`update users set closing_at = now()`],
    ['locked', sql`update users set locked_at = now()`],
  ])('and an upload that waits while the account is being %s gets no token', async (_, end) => {
    await env.node({ url: 'http://127.0.0.1:7001' })
    for (const ask of uploads) {
      const person = await env.person()
      const asked = await env.db.transaction(async (tx) => {
        await tx.run(sql`${end} where id = ${person.id}`)
        const asking = ask(person)
        const waits = () =>
          env.db.maybe(sql`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        await expect.poll(waits).toBeDefined()
        return { asking }
      })
      const answer = await asked.asking
      expect(answer.code).not.toBe(0)
      expect(tokensIn(answer)).toEqual([])
    }
  })

  it('and asking again does not delay it', async () => {
    const person = await env.person()
    const first = (await start(person)).data.closing_at
    env.pass(60_000)
    expect((await start(person)).data.closing_at).toBe(first)
  })
})

describe('its owner keeps the account with one click', () => {
  it('and shares and keys work again', async () => {
    const [person, visitor] = [await env.person(), await env.person()]
    const key = await env.key(person, 'admin')
    const { cid } = await sampleFile(env.db, person.id)
    await env.call('shares.create', { cid }, person)
    await env.call('shares.setStatus', { cid, status: 1 }, person)
    await start(person)
    expect(await env.call('closing.cancel', {}, person)).toMatchObject({ code: 0 })
    env.pass(CACHED)
    expect(await env.call('accounts.info', {}, { token: key })).toMatchObject({ code: 0 })
    expect(await env.call('shares.check', { username: person.uid, cid, password: '' }, visitor)).toMatchObject({
      code: 0,
    })
    env.pass(CLOSING_LIFE)
    await erase()
    expect(await env.db.one(sql`select erased_at, closing_at from users where id = ${person.id}`)).toEqual({
      erased_at: null,
      closing_at: null,
    })
  })

  it('or it is deleted; of undo and deletion at the same time, exactly one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await env.person()
      await start(person)
      await env.db.run(sql`update users set closing_at = ${new Date(env.clock.now())} where id = ${person.id}`)
      const [kept] = await Promise.all([env.call('closing.cancel', {}, person), erase()])
      await erase()
      const { erased } = await env.db.one<{ erased: boolean }>(
        sql`select erased_at is not null as erased from users where id = ${person.id}`,
      )
      expect(erased).toBe(kept.code !== 0)
    }
  })

  it('and once the deletion has begun, no request that was let in before undoes it', async () => {
    const person = await env.person()
    await start(person)
    const at = new Date(env.clock.now() + CLOSING_LIFE)
    expect(await env.db.transaction((tx) => beginErasing(tx, person.id, at))).toBe(1)
    expect(await env.db.transaction((tx) => cancelClosing(tx, person.id))).toBe(0)
  })
})

describe('scheduling is refused', () => {
  it('without recent authentication, with another name typed, or by an API key', async () => {
    const [person, other] = [await env.person(), await env.person()]
    expect(await start(person, { confirm: other.email })).toMatchObject({ err: errors.closingConfirm.err })
    expect(await start(person, { confirm: '' })).toMatchObject({ err: errors.closingConfirm.err })
    const token = await env.key(person, 'admin')
    expect(await env.call('closing.start', { confirm: person.email }, { token })).toMatchObject({
      err: errors.forbidden.err,
    })
    const long = new Date(env.clock.now() - 3_600_000)
    await env.db.run(sql`update sessions set created_at = ${long} where user_id = ${person.id}`)
    expect(await start(person)).toMatchObject({ err: errors.recentAuthRequired.err })
    expect(await state(person)).toMatchObject({ closing_at: '' })
  })

  it('while coins are on their way, and with points, unless they are given up', async () => {
    const person = await env.person()
    await env.db.run(sql`
      insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
      values (${person.id}, 'tide1y', current_date, 1, '', 'reserved', now(), now())`)
    await givePoints(person, 7)
    expect(await state(person)).toMatchObject({ obligations: [{ kind: 'payouts', count: 1 }], points: 7 })
    expect(await start(person, { give_up_points: true })).toMatchObject({ err: errors.closingObligations.err })
    await env.db.run(sql`update claims set state = 'done' where user_id = ${person.id}`)
    expect(await start(person)).toMatchObject({ err: errors.closingPoints.err })
    expect(await start(person, { give_up_points: true })).toMatchObject({ code: 0 })
  })

  it('while a team has no other owner', async () => {
    const person = await env.person()
    await env.call('teams.create', { name: 'a team' }, person)
    expect(await state(person)).toMatchObject({ obligations: [{ kind: 'teams', count: 1 }] })
    expect(await start(person)).toMatchObject({ err: errors.closingObligations.err })
  })

  it('while the other owners of a team are to be deleted too', async () => {
    const [first, second] = [await env.person(), await env.person({ vip: true })]
    const { team } = (await env.call('teams.create', { name: 'a team' }, first)).data
    await env.call('teams.invite', { team, email: second.email, role: 'editor' }, first)
    const [invitation] = (await env.call('teams.list', {}, second)).data.invitations
    await env.call('teams.answer', { id: invitation?.id ?? 0, accept: true }, second)
    await env.call('teams.setRole', { team, uid: second.uid, role: 'owner' }, first)
    expect(await start(first)).toMatchObject({ code: 0 })
    expect(await start(second)).toMatchObject({ err: errors.closingObligations.err })
    // Both asked at the same moment: neither is deleted before somebody else owns the team.
    await env.db.run(sql`update users set closing_at = now() where id = any(${[first.id, second.id]})`)
    await erase()
    const owners = await env.db.rows(sql`
      select 1 from team_members m join users u on u.id = m.user_id
      where m.role = 'owner' and u.id = any(${[first.id, second.id]}) and u.erasing_at is null`)
    expect(owners).toHaveLength(2)
  })

  it('to operators and agents', async () => {
    for (const role of ['operator', 'agent'] as const)
      expect(await start(await env.person({ role }))).toMatchObject({ err: errors.closingRole.err })
  })

  it('and there is nothing to undo for others', async () => {
    const [person, other] = [await env.person(), await env.person()]
    await start(person)
    expect(await env.call('closing.cancel', {}, other)).toMatchObject({ err: errors.closingNone.err })
    expect(await state(person)).not.toMatchObject({ closing_at: '' })
  })
})
