import { randomBytes } from 'node:crypto'
import { errors, RECENT_AUTH_LIFE, SIGN_IN_MESSAGE_LIFE, WALLET_COOLDOWN } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { owner, PASSWORD } from '../second-factors/sample-person.fixture.ts'
import { openSession } from '../sessions/tokens.ts'
import {
  cosmosWallet,
  evmWallet,
  linkSample,
  place,
  type SampleWallet,
  walletLogin,
  walletProof,
} from './sample-wallets.fixture.ts'
import { requireLinkedWallet } from './service.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const kinds: [string, () => SampleWallet][] = [
  ['of the chain', cosmosWallet],
  ['with 0x', evmWallet],
]
const signIn = async (wallet: SampleWallet) => env.call('accounts.login', await walletLogin(env, wallet), place())
const info = async (token: string) => (await env.call('wallets.bindInfo', {}, { token })).data
const uidOf = async (token: string) => (await env.call('accounts.info', {}, { token })).data.uuid
const nonces = async () => (await env.db.one<{ count: number }>(sql`select count(*) as count from wallet_nonces`)).count

describe('a sign-in message', () => {
  it('can be requested at each of its paths', async () => {
    const username = cosmosWallet().address
    for (const url of ['/api/v1/storage/login_before', '/api/v2/login_before']) {
      const answer = (await env.app.inject({ url, query: { username } })).json()
      expect(answer).toMatchObject({ code: 0, data: { code: expect.stringContaining(username) } })
    }
  })

  it('is in the language of the caller, with portal, purpose, address and account', async () => {
    const { address } = cosmosWallet()
    const person = await env.person()
    const ask = (lang: 'cn' | 'en') => env.call('wallets.bindNonce', { address }, { token: person.token, lang })
    const [english, chinese] = [(await ask('en')).data.code, (await ask('cn')).data.code]
    for (const text of [english, chinese])
      for (const fact of ['portal.test', address, person.uid]) expect(text).toContain(fact)
    expect(english).not.toMatch(/\p{Script=Han}/u)
    expect(chinese).toMatch(/\p{Script=Han}/u)
  })

  it('is different each time; earlier ones stay valid', async () => {
    const wallet = cosmosWallet()
    const first = await walletLogin(env, wallet)
    const second = await walletLogin(env, wallet)
    expect(first.sign).not.toBe(second.sign)
    for (const login of [first, second])
      expect(await env.call('accounts.login', login, place())).toMatchObject({ code: 0 })
  })

  it('is the last one again if a client network requests many', async () => {
    const [wallet, from] = [cosmosWallet(), place()]
    const before = await nonces()
    const asked = new Set<string>()
    for (let round = 0; round < 10; round++)
      asked.add((await env.call('wallets.loginNonce', { username: wallet.address }, from)).data.code)
    expect(await nonces()).toBe(before + asked.size)
    expect(asked.size).toBeLessThan(6)
    const login = {
      username: wallet.address,
      publicKey: wallet.publicKey,
      sign: await wallet.sign([...asked].at(-1) ?? ''),
    }
    expect(await env.call('accounts.login', login, from)).toMatchObject({ code: 0 })
  })

  it('is deleted after it has expired', async () => {
    await walletLogin(env, cosmosWallet())
    env.pass(SIGN_IN_MESSAGE_LIFE)
    await deleteExpired(env.context, features)
    expect(await nonces()).toBe(0)
  })
})

describe.each(kinds)('a wallet %s', (_, wallet) => {
  it('opens an account at the first sign-in, and signs in to it afterwards', async () => {
    const mine = wallet()
    const first = await signIn(mine)
    expect(first).toMatchObject({ code: 0 })
    const profile = (await env.call('accounts.info', {}, { token: first.data.token })).data
    expect(profile).toMatchObject({ wallet_address: mine.address, user_email: '', username: profile.uuid })
    expect(await uidOf((await signIn(mine)).data.token)).toBe(profile.uuid)
    expect(await uidOf((await signIn(wallet())).data.token)).not.toBe(profile.uuid)
  })

  it('is the same in any spelling of its address', async () => {
    const mine = wallet()
    const { token } = (await signIn(mine)).data
    const login = { ...(await walletLogin(env, mine)), username: mine.address.toLowerCase(), address: mine.address }
    expect(await uidOf((await env.call('accounts.login', login, place())).data.token)).toBe(await uidOf(token))
  })

  it('can sign in to the account that it is linked to', async () => {
    const [mine, person] = [wallet(), await env.person()]
    expect(await linkSample(env, mine, person.token)).toMatchObject({ code: 0 })
    expect(await uidOf((await signIn(mine)).data.token)).toBe(person.uid)
    expect(await info(person.token)).toMatchObject({
      [mine.publicKey ? 'keplr' : 'evm']: mine.address,
      email: person.email,
      wallets: [{ address: mine.address, kind: mine.publicKey ? 'cosmos' : 'evm' }],
      change_at: { cosmos: '', evm: '' },
      may_unbind: true,
    })
  })

  it('can be linked again without a change', async () => {
    const [mine, person] = [wallet(), await env.person()]
    await linkSample(env, mine, person.token)
    expect(await linkSample(env, mine, person.token)).toMatchObject({ code: 0 })
    expect((await info(person.token)).wallets).toHaveLength(1)
  })

  it('can be unlinked and linked again to the same account immediately', async () => {
    const [mine, person] = [wallet(), await env.person()]
    await linkSample(env, mine, person.token)
    const answer = await env.call('wallets.unbind', { address: mine.address }, { token: person.token })
    expect(answer).toMatchObject({ code: 0 })
    expect(await info(person.token)).toMatchObject({ keplr: '', evm: '', wallets: [], may_unbind: false })
    expect(await linkSample(env, mine, person.token)).toMatchObject({ code: 0 })
  })

  it('can be linked to another account a day after unlinking, and the account to another wallet', async () => {
    const [mine, other, giver, taker] = [wallet(), wallet(), await env.person(), await env.person()]
    await linkSample(env, mine, giver.token)
    await env.call('wallets.unbind', {}, { token: giver.token })
    const { change_at } = await info(giver.token)
    const free = Date.parse(mine.publicKey ? change_at.cosmos : change_at.evm)
    expect(free - env.clock.now()).toBeGreaterThan(WALLET_COOLDOWN - 60_000)
    for (const refused of [await linkSample(env, mine, taker.token), await linkSample(env, other, giver.token)])
      expect(refused).toMatchObject({ code: -1, err: errors.walletCooldown.err, msg: expect.stringContaining('24') })
    expect((await signIn(mine)).code).toBe(401)
    env.pass(free - env.clock.now())
    const later = async (person: Person) =>
      (await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })).token
    expect(await linkSample(env, mine, await later(taker))).toMatchObject({ code: 0 })
    expect(await linkSample(env, other, await later(giver))).toMatchObject({ code: 0 })
  })
})

describe('signing in', () => {
  it('requires the second factor if the account has one, and uses up the message', async () => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    await linkSample(env, wallet, person.token)
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into totp (user_id, secret, created_at, confirmed_at) values (${person.id}, ${randomBytes(20)}, ${at}, ${at})`)
    const login = await walletLogin(env, wallet)
    expect(await env.call('accounts.login', login, place())).toMatchObject({
      code: -1,
      err: errors.secondFactorNeeded.err,
      data: { ticket: expect.any(String), ways: ['totp'] },
    })
    expect((await env.call('accounts.login', login, place())).msg).toBe(errors.signInMessageExpired.en())
  })

  it('is recorded with its method', async () => {
    const { token } = (await signIn(cosmosWallet())).data
    const rows = await env.db.rows(sql`
      select s.way, s.ok from sign_ins s join users u on u.id = s.user_id where u.uid = ${await uidOf(token)}`)
    expect(rows).toEqual([{ way: 'wallet', ok: true }])
  })
})

describe('an account', () => {
  it('has one wallet of each kind, and shows the chain wallet', async () => {
    const [cosmos, evm, person] = [cosmosWallet(), evmWallet(), await env.person()]
    await linkSample(env, evm, person.token)
    await linkSample(env, cosmos, person.token)
    expect(await info(person.token)).toMatchObject({ keplr: cosmos.address, evm: evm.address })
    expect((await env.call('accounts.info', {}, person)).data.wallet_address).toBe(cosmos.address)
  })

  it('can unlink its first wallet if it has another sign-in method', async () => {
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    const { token } = (await signIn(cosmos)).data
    expect((await info(token)).may_unbind).toBe(false)
    await linkSample(env, evm, token)
    expect(await env.call('wallets.unbind', { address: cosmos.address }, { token })).toMatchObject({ code: 0 })
    expect(await uidOf((await signIn(evm)).data.token)).toBe(await uidOf(token))
  })

  it('unlinks its 0x wallet by default', async () => {
    const [cosmos, evm, person] = [cosmosWallet(), evmWallet(), await env.person()]
    for (const wallet of [cosmos, evm]) await linkSample(env, wallet, person.token)
    await env.call('wallets.unbind', {}, person)
    expect(await info(person.token)).toMatchObject({ keplr: cosmos.address, evm: '' })
  })

  it('must link a wallet for features that need one', async () => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    await linkSample(env, evmWallet(), person.token)
    await expect(requireLinkedWallet(env.db, person.id)).rejects.toMatchObject({ key: 'walletRequired' })
    await linkSample(env, wallet, person.token)
    expect(await requireLinkedWallet(env.db, person.id)).toBe(wallet.address)
  })

  it('has linking and unlinking in the audit log', async () => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    await linkSample(env, wallet, person.token)
    await env.call('wallets.unbind', {}, person)
    const rows = await env.db.rows(
      sql`select action, via, detail from audit_log where actor = ${person.uid} order by id`,
    )
    const detail = { kind: 'cosmos', address: wallet.address }
    expect(rows).toEqual([
      { action: 'wallet.bind', via: 'session', detail },
      { action: 'wallet.unbind', via: 'session', detail },
    ])
  })
})

describe('linking by the ecology paths', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex')

  it.each([
    ['hex of the bytes', (text: string) => text],
    ['hex of base64', (text: string) => hex(Buffer.from(text, 'hex').toString('base64'))],
  ])('takes %s and a text that names no address, and is the same binding', async (_, form) => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    const { code } = (await env.call('wallets.ecologyCode', {}, person)).data
    expect(code).not.toContain('tide1')
    expect(code).toContain(person.uid)
    const proof = { sign: form(await wallet.sign(code)), publicKey: form(wallet.publicKey) }
    const input = { address: hex(wallet.address), ...proof, isTitan: true }
    expect(await env.call('wallets.bindWallet', input, person)).toMatchObject({ code: 0 })
    expect((await info(person.token)).keplr).toBe(wallet.address)
    const again = await linkSample(env, wallet, (await env.person()).token)
    expect(again).toMatchObject({ err: errors.walletTaken.err })
  })
})

describe('a wallet request is refused', () => {
  const bindings = ['wallets.bindNonce', 'wallets.bindKeplr', 'wallets.ecologyCode', 'wallets.bindWallet'] as const

  it.each([...bindings, 'wallets.bindInfo', 'wallets.bindEvm', 'wallets.unbind'] as const)(
    'nobody, or a program with a key: %s',
    async (operation) => {
      const wallet = cosmosWallet()
      const input = { address: wallet.address, sign: '00', publicKey: '00' }
      expect(await env.call(operation, input)).toMatchObject({ code: 401 })
      const key = await env.key(await env.person(), 'admin')
      expect(await env.call(operation, input, { token: key })).toMatchObject({ err: errors.forbidden.err })
    },
  )

  it.each([
    cosmosWallet('cosmos').address,
    `0x${'aB'.repeat(20)}`,
    'ann@mail.test',
    'tide1',
    '',
    ' ',
    'x'.repeat(5000),
  ])('an address that is none: %#', async (address) => {
    const { token } = await env.person()
    const input = { address, sign: '00'.repeat(64), publicKey: '00'.repeat(33) }
    const refused = { code: -1, err: errors.walletAddress.err }
    expect(await env.call('wallets.loginNonce', { username: address }, place())).toMatchObject(refused)
    expect(await env.call('wallets.bindNonce', { address }, { token })).toMatchObject(refused)
    for (const operation of ['wallets.bindKeplr', 'wallets.bindWallet', 'wallets.bindEvm'] as const)
      expect(await env.call(operation, input, { token })).toMatchObject(refused)
    expect(await env.call('accounts.login', { ...input, username: address }, place())).toMatchObject({ code: 401 })
  })

  it('for a wallet of the other kind than the path is for', async () => {
    const { token } = await env.person()
    const refused = { code: -1, err: errors.walletAddress.err }
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    expect(await env.call('wallets.bindEvm', await walletProof(env, cosmos, token), { token })).toMatchObject(refused)
    expect(await env.call('wallets.bindKeplr', await walletProof(env, evm, token), { token })).toMatchObject(refused)
  })

  it('for an expired message, exactly at its expiry', async () => {
    for (const wallet of [cosmosWallet(), evmWallet()]) {
      const login = await walletLogin(env, wallet)
      env.pass(SIGN_IN_MESSAGE_LIFE)
      const answer = await env.call('accounts.login', login, place())
      expect(answer).toMatchObject({ code: 401, success: false })
      expect(answer.msg).toBe(errors.signInMessageExpired.en())
    }
  })

  it('for a second wallet of the kind', async () => {
    const person = await env.person()
    for (const kind of [cosmosWallet, evmWallet]) {
      await linkSample(env, kind(), person.token)
      expect(await linkSample(env, kind(), person.token)).toMatchObject({
        code: -1,
        err: errors.walletAlreadyLinked.err,
      })
    }
  })

  it('for a wallet of another account', async () => {
    const wallet = cosmosWallet()
    await signIn(wallet)
    const { token } = await env.person()
    expect(await linkSample(env, wallet, token)).toMatchObject({ code: -1, err: errors.walletTaken.err })
  })

  it('for unlinking a wallet of another account, or the only sign-in method', async () => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    const { token } = (await signIn(wallet)).data
    const unknown = { code: -1, err: errors.walletUnknown.err }
    expect(await env.call('wallets.unbind', { address: wallet.address }, person)).toMatchObject(unknown)
    expect(await env.call('wallets.unbind', {}, person)).toMatchObject(unknown)
    expect(await env.call('wallets.unbind', { address: 'tide1x' }, person)).toMatchObject({
      err: errors.walletAddress.err,
    })
    expect(await env.call('wallets.unbind', {}, { token })).toMatchObject({ code: -1, err: errors.lastWallet.err })
    expect((await info(token)).keplr).toBe(wallet.address)
  })

  it('for unlinking without recent authentication', async () => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    await linkSample(env, wallet, person.token)
    env.pass(RECENT_AUTH_LIFE)
    expect(await env.call('wallets.unbind', {}, person)).toMatchObject({ code: -1, err: errors.recentAuthRequired.err })
    expect((await info(person.token)).keplr).toBe(wallet.address)
  })

  it.each(['wallets.bindKeplr', 'wallets.bindEvm', 'wallets.bindWallet'] as const)(
    'binding in a session that has been open for long, until its owner has proved to be there: %s',
    async (operation) => {
      const person = await owner(env)
      env.pass(70 * 60_000)
      const wallet = operation === 'wallets.bindEvm' ? evmWallet() : cosmosWallet()
      const proof = await walletProof(env, wallet, person.token)
      const bind = () => env.call(operation, proof, { ...place(), token: person.token })
      expect(await bind()).toMatchObject({ code: -1, err: errors.recentAuthRequired.err })
      expect((await info(person.token)).wallets).toEqual([])
      await env.call('secondFactors.prove', { password: PASSWORD }, person)
      // The signed message was not used up.
      expect(await bind()).toMatchObject({ code: 0 })
      expect((await info(person.token)).wallets).toHaveLength(1)
    },
  )

  it('for one of two concurrent requests that unlink the last two wallets', async () => {
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    const { token } = (await signIn(cosmos)).data
    await linkSample(env, evm, token)
    const answers = await Promise.all(
      [cosmos, evm].flatMap(({ address }) =>
        Array.from({ length: 10 }, () => env.call('wallets.unbind', { address }, { ...place(), token })),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await info(token)).wallets).toHaveLength(1)
  })

  it('for a locked account', async () => {
    const [wallet, person] = [cosmosWallet(), await env.person()]
    await linkSample(env, wallet, person.token)
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${person.id}`)
    expect((await signIn(wallet)).code).toBe(401)
  })

  it.each([
    { sign: 'x' },
    { sign: '00' },
    { sign: '00'.repeat(64), publicKey: 'x' },
    { sign: '00'.repeat(65), publicKey: `02${'00'.repeat(32)}` },
    { sign: randomBytes(64).toString('base64'), publicKey: '' },
    { sign: ['00'], publicKey: {} },
    { sign: 'f'.repeat(100_000) },
  ])('a signature that is none: %#', async (proof) => {
    const { address: username } = cosmosWallet()
    await env.call('wallets.loginNonce', { username }, place())
    const answer = await env.call('accounts.login', { username, ...proof } as never, place())
    expect(answer).toMatchObject({ code: 401, success: false, status: 200 })
    expect(answer.msg).toBeTruthy()
  })
})
