import { randomBytes } from 'node:crypto'
import { errors, SIGN_IN_MESSAGE_LIFE, RECENT_AUTH_LIFE, WALLET_COOLDOWN } from '@tidenet/contract'
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

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const kinds: [string, () => SampleWallet][] = [
  ['of the chain', cosmosWallet],
  ['with 0x', evmWallet],
]
const signIn = async (wallet: SampleWallet) => world.call('accounts.login', await walletLogin(world, wallet), place())
const info = async (token: string) => (await world.call('wallets.bindInfo', {}, { token })).data
const uidOf = async (token: string) => (await world.call('accounts.info', {}, { token })).data.uuid
const nonces = async () =>
  (await world.db.one<{ count: number }>(sql`select count(*) as count from wallet_nonces`)).count

describe('the text to be signed', () => {
  it('is asked for at each of its addresses', async () => {
    const username = cosmosWallet().address
    for (const url of ['/api/v1/storage/login_before', '/api/v2/login_before']) {
      const answer = (await world.app.inject({ url, query: { username } })).json()
      expect(answer).toMatchObject({ code: 0, data: { code: expect.stringContaining(username) } })
    }
  })

  it('is in the language of the caller and names portal, purpose, address and account', async () => {
    const { address } = cosmosWallet()
    const person = await world.person()
    const ask = (lang: 'cn' | 'en') => world.call('wallets.bindNonce', { address }, { token: person.token, lang })
    const [english, chinese] = [(await ask('en')).data.code, (await ask('cn')).data.code]
    for (const text of [english, chinese])
      for (const fact of ['portal.test', address, person.uid]) expect(text).toContain(fact)
    expect(english).not.toMatch(/\p{Script=Han}/u)
    expect(chinese).toMatch(/\p{Script=Han}/u)
  })

  it('is another one each time, and the earlier ones stay good', async () => {
    const wallet = cosmosWallet()
    const first = await walletLogin(world, wallet)
    const second = await walletLogin(world, wallet)
    expect(first.sign).not.toBe(second.sign)
    for (const login of [first, second])
      expect(await world.call('accounts.login', login, place())).toMatchObject({ code: 0 })
  })

  it('is the last one again for who asks often from one place', async () => {
    const [wallet, from] = [cosmosWallet(), place()]
    const before = await nonces()
    const asked = new Set<string>()
    for (let round = 0; round < 10; round++)
      asked.add((await world.call('wallets.loginNonce', { username: wallet.address }, from)).data.code)
    expect(await nonces()).toBe(before + asked.size)
    expect(asked.size).toBeLessThan(6)
    const login = {
      username: wallet.address,
      publicKey: wallet.publicKey,
      sign: await wallet.sign([...asked].at(-1) ?? ''),
    }
    expect(await world.call('accounts.login', login, from)).toMatchObject({ code: 0 })
  })

  it('is forgotten when it has run out', async () => {
    await walletLogin(world, cosmosWallet())
    world.pass(SIGN_IN_MESSAGE_LIFE)
    await deleteExpired(world.context, features)
    expect(await nonces()).toBe(0)
  })
})

describe.each(kinds)('a wallet %s', (_, wallet) => {
  it('gets an account with its first proof, and the same one with every further', async () => {
    const mine = wallet()
    const first = await signIn(mine)
    expect(first).toMatchObject({ code: 0 })
    const profile = (await world.call('accounts.info', {}, { token: first.data.token })).data
    expect(profile).toMatchObject({ wallet_address: mine.address, user_email: '', username: profile.uuid })
    expect(await uidOf((await signIn(mine)).data.token)).toBe(profile.uuid)
    expect(await uidOf((await signIn(wallet())).data.token)).not.toBe(profile.uuid)
  })

  it('is the same wallet however its address is written', async () => {
    const mine = wallet()
    const { token } = (await signIn(mine)).data
    const login = { ...(await walletLogin(world, mine)), username: mine.address.toLowerCase(), address: mine.address }
    expect(await uidOf((await world.call('accounts.login', login, place())).data.token)).toBe(await uidOf(token))
  })

  it('lets into the account that it was bound to', async () => {
    const [mine, person] = [wallet(), await world.person()]
    expect(await linkSample(world, mine, person.token)).toMatchObject({ code: 0 })
    expect(await uidOf((await signIn(mine)).data.token)).toBe(person.uid)
    expect(await info(person.token)).toMatchObject({
      [mine.publicKey ? 'keplr' : 'evm']: mine.address,
      email: person.email,
      wallets: [{ address: mine.address, kind: mine.publicKey ? 'cosmos' : 'evm' }],
      change_at: { cosmos: '', evm: '' },
      may_unbind: true,
    })
  })

  it('that is bound already is bound again without a change', async () => {
    const [mine, person] = [wallet(), await world.person()]
    await linkSample(world, mine, person.token)
    expect(await linkSample(world, mine, person.token)).toMatchObject({ code: 0 })
    expect((await info(person.token)).wallets).toHaveLength(1)
  })

  it('is unbound, and bound again to the same account at once', async () => {
    const [mine, person] = [wallet(), await world.person()]
    await linkSample(world, mine, person.token)
    const answer = await world.call('wallets.unbind', { address: mine.address }, { token: person.token })
    expect(answer).toMatchObject({ code: 0 })
    expect(await info(person.token)).toMatchObject({ keplr: '', evm: '', wallets: [], may_unbind: false })
    expect(await linkSample(world, mine, person.token)).toMatchObject({ code: 0 })
  })

  it('goes to another account a day after it was given up, and the account gets another one then', async () => {
    const [mine, other, giver, taker] = [wallet(), wallet(), await world.person(), await world.person()]
    await linkSample(world, mine, giver.token)
    await world.call('wallets.unbind', {}, { token: giver.token })
    const { change_at } = await info(giver.token)
    const free = Date.parse(mine.publicKey ? change_at.cosmos : change_at.evm)
    expect(free - world.clock.now()).toBeGreaterThan(WALLET_COOLDOWN - 60_000)
    for (const refused of [await linkSample(world, mine, taker.token), await linkSample(world, other, giver.token)])
      expect(refused).toMatchObject({ code: -1, err: errors.walletCooldown.err, msg: expect.stringContaining('24') })
    expect((await signIn(mine)).code).toBe(401)
    world.pass(free - world.clock.now())
    const later = async (person: Person) =>
      (await openSession(world.context, world.db, person, { ip: '127.0.0.1', agent: 'test' })).token
    expect(await linkSample(world, mine, await later(taker))).toMatchObject({ code: 0 })
    expect(await linkSample(world, other, await later(giver))).toMatchObject({ code: 0 })
  })
})

describe('signing in', () => {
  it('leads to the second factor where the account has one, and spends the text all the same', async () => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    await linkSample(world, wallet, person.token)
    const at = new Date(world.clock.now())
    await world.db.run(sql`
      insert into totp (user_id, secret, created_at, confirmed_at) values (${person.id}, ${randomBytes(20)}, ${at}, ${at})`)
    const login = await walletLogin(world, wallet)
    expect(await world.call('accounts.login', login, place())).toMatchObject({
      code: -1,
      err: errors.secondFactorNeeded.err,
      data: { ticket: expect.any(String), ways: ['totp'] },
    })
    expect((await world.call('accounts.login', login, place())).msg).toBe(errors.signInMessageExpired.en())
  })

  it('is written down with its way', async () => {
    const { token } = (await signIn(cosmosWallet())).data
    const rows = await world.db.rows(sql`
      select s.way, s.ok from sign_ins s join users u on u.id = s.user_id where u.uid = ${await uidOf(token)}`)
    expect(rows).toEqual([{ way: 'wallet', ok: true }])
  })
})

describe('an account', () => {
  it('has one wallet of each kind, and shows that of the chain', async () => {
    const [cosmos, evm, person] = [cosmosWallet(), evmWallet(), await world.person()]
    await linkSample(world, evm, person.token)
    await linkSample(world, cosmos, person.token)
    expect(await info(person.token)).toMatchObject({ keplr: cosmos.address, evm: evm.address })
    expect((await world.call('accounts.info', {}, person)).data.wallet_address).toBe(cosmos.address)
  })

  it('of a wallet gives it up once another lets in', async () => {
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    const { token } = (await signIn(cosmos)).data
    expect((await info(token)).may_unbind).toBe(false)
    await linkSample(world, evm, token)
    expect(await world.call('wallets.unbind', { address: cosmos.address }, { token })).toMatchObject({ code: 0 })
    expect(await uidOf((await signIn(evm)).data.token)).toBe(await uidOf(token))
  })

  it('gives up its 0x wallet where no address is said', async () => {
    const [cosmos, evm, person] = [cosmosWallet(), evmWallet(), await world.person()]
    for (const wallet of [cosmos, evm]) await linkSample(world, wallet, person.token)
    await world.call('wallets.unbind', {}, person)
    expect(await info(person.token)).toMatchObject({ keplr: cosmos.address, evm: '' })
  })

  it('is asked to bind a wallet by what needs one', async () => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    await linkSample(world, evmWallet(), person.token)
    await expect(requireLinkedWallet(world.db, person.id)).rejects.toMatchObject({ key: 'walletRequired' })
    await linkSample(world, wallet, person.token)
    expect(await requireLinkedWallet(world.db, person.id)).toBe(wallet.address)
  })

  it('has binding and unbinding in the record of changes', async () => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    await linkSample(world, wallet, person.token)
    await world.call('wallets.unbind', {}, person)
    const rows = await world.db.rows(
      sql`select action, via, detail from audit_log where actor = ${person.uid} order by id`,
    )
    const detail = { kind: 'cosmos', address: wallet.address }
    expect(rows).toEqual([
      { action: 'wallet.bind', via: 'session', detail },
      { action: 'wallet.unbind', via: 'session', detail },
    ])
  })
})

describe('binding by the ecology addresses', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex')

  it.each([
    ['hex of the bytes', (text: string) => text],
    ['hex of base64', (text: string) => hex(Buffer.from(text, 'hex').toString('base64'))],
  ])('takes %s and a text that names no address, and is the same binding', async (_, form) => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    const { code } = (await world.call('wallets.ecologyCode', {}, person)).data
    expect(code).not.toContain('tide1')
    expect(code).toContain(person.uid)
    const proof = { sign: form(await wallet.sign(code)), publicKey: form(wallet.publicKey) }
    const input = { address: hex(wallet.address), ...proof, isTitan: true }
    expect(await world.call('wallets.bindWallet', input, person)).toMatchObject({ code: 0 })
    expect((await info(person.token)).keplr).toBe(wallet.address)
    const again = await linkSample(world, wallet, (await world.person()).token)
    expect(again).toMatchObject({ err: errors.walletTaken.err })
  })
})

describe('who is refused', () => {
  const bindings = ['wallets.bindNonce', 'wallets.bindKeplr', 'wallets.ecologyCode', 'wallets.bindWallet'] as const

  it.each([...bindings, 'wallets.bindInfo', 'wallets.bindEvm', 'wallets.unbind'] as const)(
    'nobody, or a program with a key: %s',
    async (operation) => {
      const wallet = cosmosWallet()
      const input = { address: wallet.address, sign: '00', publicKey: '00' }
      expect(await world.call(operation, input)).toMatchObject({ code: 401 })
      const key = await world.key(await world.person(), 'admin')
      expect(await world.call(operation, input, { token: key })).toMatchObject({ err: errors.forbidden.err })
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
    const { token } = await world.person()
    const input = { address, sign: '00'.repeat(64), publicKey: '00'.repeat(33) }
    const refused = { code: -1, err: errors.walletAddress.err }
    expect(await world.call('wallets.loginNonce', { username: address }, place())).toMatchObject(refused)
    expect(await world.call('wallets.bindNonce', { address }, { token })).toMatchObject(refused)
    for (const operation of ['wallets.bindKeplr', 'wallets.bindWallet', 'wallets.bindEvm'] as const)
      expect(await world.call(operation, input, { token })).toMatchObject(refused)
    expect(await world.call('accounts.login', { ...input, username: address }, place())).toMatchObject({ code: 401 })
  })

  it('a wallet of the other kind than the address serves', async () => {
    const { token } = await world.person()
    const refused = { code: -1, err: errors.walletAddress.err }
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    expect(await world.call('wallets.bindEvm', await walletProof(world, cosmos, token), { token })).toMatchObject(
      refused,
    )
    expect(await world.call('wallets.bindKeplr', await walletProof(world, evm, token), { token })).toMatchObject(
      refused,
    )
  })

  it('a text that has run out, at the moment it says', async () => {
    for (const wallet of [cosmosWallet(), evmWallet()]) {
      const login = await walletLogin(world, wallet)
      world.pass(SIGN_IN_MESSAGE_LIFE)
      const answer = await world.call('accounts.login', login, place())
      expect(answer).toMatchObject({ code: 401, success: false })
      expect(answer.msg).toBe(errors.signInMessageExpired.en())
    }
  })

  it('a second wallet of the kind', async () => {
    const person = await world.person()
    for (const kind of [cosmosWallet, evmWallet]) {
      await linkSample(world, kind(), person.token)
      expect(await linkSample(world, kind(), person.token)).toMatchObject({ code: -1, err: errors.walletAlreadyLinked.err })
    }
  })

  it('a wallet of another account', async () => {
    const wallet = cosmosWallet()
    await signIn(wallet)
    const { token } = await world.person()
    expect(await linkSample(world, wallet, token)).toMatchObject({ code: -1, err: errors.walletTaken.err })
  })

  it('unbinding what is not the account’s, or its only way in', async () => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    const { token } = (await signIn(wallet)).data
    const unknown = { code: -1, err: errors.walletUnknown.err }
    expect(await world.call('wallets.unbind', { address: wallet.address }, person)).toMatchObject(unknown)
    expect(await world.call('wallets.unbind', {}, person)).toMatchObject(unknown)
    expect(await world.call('wallets.unbind', { address: 'tide1x' }, person)).toMatchObject({
      err: errors.walletAddress.err,
    })
    expect(await world.call('wallets.unbind', {}, { token })).toMatchObject({ code: -1, err: errors.lastWallet.err })
    expect((await info(token)).keplr).toBe(wallet.address)
  })

  it('unbinding in a session that has been open for long', async () => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    await linkSample(world, wallet, person.token)
    world.pass(RECENT_AUTH_LIFE)
    expect(await world.call('wallets.unbind', {}, person)).toMatchObject({ code: -1, err: errors.recentAuthRequired.err })
    expect((await info(person.token)).keplr).toBe(wallet.address)
  })

  it.each(['wallets.bindKeplr', 'wallets.bindEvm', 'wallets.bindWallet'] as const)(
    'binding in a session that has been open for long, until its owner has proved to be there: %s',
    async (operation) => {
      const person = await owner(world)
      world.pass(70 * 60_000)
      const wallet = operation === 'wallets.bindEvm' ? evmWallet() : cosmosWallet()
      const proof = await walletProof(world, wallet, person.token)
      const bind = () => world.call(operation, proof, { ...place(), token: person.token })
      expect(await bind()).toMatchObject({ code: -1, err: errors.recentAuthRequired.err })
      expect((await info(person.token)).wallets).toEqual([])
      await world.call('secondFactors.prove', { password: PASSWORD }, person)
      // The text that the wallet has signed was not spent on the refusal.
      expect(await bind()).toMatchObject({ code: 0 })
      expect((await info(person.token)).wallets).toHaveLength(1)
    },
  )

  it('giving up both of two wallets at the same moment, when nothing else lets in', async () => {
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    const { token } = (await signIn(cosmos)).data
    await linkSample(world, evm, token)
    const answers = await Promise.all(
      [cosmos, evm].flatMap(({ address }) =>
        Array.from({ length: 10 }, () => world.call('wallets.unbind', { address }, { ...place(), token })),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await info(token)).wallets).toHaveLength(1)
  })

  it('an account that is locked', async () => {
    const [wallet, person] = [cosmosWallet(), await world.person()]
    await linkSample(world, wallet, person.token)
    await world.db.run(sql`update users set locked_at = ${new Date(world.clock.now())} where id = ${person.id}`)
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
    await world.call('wallets.loginNonce', { username }, place())
    const answer = await world.call('accounts.login', { username, ...proof } as never, place())
    expect(answer).toMatchObject({ code: 401, success: false, status: 200 })
    expect(answer.msg).toBeTruthy()
  })
})
