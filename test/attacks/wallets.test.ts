import { randomBytes } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../apps/server/src/identity/accounts/passwords.ts'
import {
  cosmosWallet,
  evmWallet,
  linkSample,
  malleated,
  place,
  type SampleWallet,
  walletLogin,
  walletProof,
} from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { MANY } from './sizes.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const kinds: [string, () => SampleWallet][] = [
  ['Cosmos', cosmosWallet],
  ['EVM', evmWallet],
]
const login = (input: object, from: { ip?: string } = place()) => env.call('accounts.login', input as never, from)
const bind = (wallet: SampleWallet, proof: object, token: string) =>
  env.call(wallet.publicKey ? 'wallets.bindKeplr' : 'wallets.bindEvm', proof as never, { ...place(), token })
const count = async (table: 'users' | 'wallets' | 'wallet_nonces') =>
  (await env.db.one<{ rows: number }>({ text: `select count(*) as rows from ${table}`, values: [] })).rows

/** An account opened by signing in with a wallet. */
async function walletOwner(wallet: SampleWallet) {
  const { token } = (await login(await walletLogin(env, wallet))).data
  const { uuid } = (await env.call('accounts.info', {}, { token })).data
  return { token, uid: uuid }
}

describe.each(kinds)('a %s wallet cannot sign in to another account', (_, wallet) => {
  it('with the victim’s username and the attacker’s address, key and signature', async () => {
    const [victim, attacker] = [wallet(), wallet()]
    await walletOwner(victim)
    const { code } = (await env.call('wallets.loginNonce', { username: victim.address }, place())).data
    const own = { publicKey: attacker.publicKey, sign: await attacker.sign(code) }
    const asVictim = { publicKey: attacker.publicKey, sign: await attacker.sign(code, victim.address) }
    for (const proof of [own, asVictim])
      for (const address of [attacker.address, victim.address, '', undefined])
        expect(await login({ username: victim.address, address, ...proof })).toMatchObject({
          code: 401,
          success: false,
        })
  })

  it('with the username of an e-mail account', async () => {
    const [attacker, victim] = [wallet(), await env.person()]
    await env.db.run(sql`update users set password_hash = ${await hashPassword('tide-Net9')} where id = ${victim.id}`)
    const { sign, publicKey } = await walletLogin(env, attacker)
    for (const username of [victim.email, victim.uid])
      for (const address of [attacker.address, undefined]) {
        expect(await login({ username, address, sign, publicKey })).toMatchObject({ code: 401 })
        expect(await login({ username, address, sign, publicKey, password: 'x', verify_code: '123456' })).toMatchObject(
          {
            code: 401,
          },
        )
      }
  })

  it('with a proof for the attacker’s address, sent with the victim’s address', async () => {
    const [victim, attacker] = [wallet(), wallet()]
    await walletOwner(victim)
    const proof = await walletLogin(env, attacker)
    expect((await login({ ...proof, address: victim.address })).code).toBe(401)
    expect((await login({ ...proof, username: victim.address, address: attacker.address })).code).toBe(401)
  })

  it('with a used signature', async () => {
    const mine = wallet()
    const proof = await walletLogin(env, mine)
    expect((await login(proof)).code).toBe(0)
    expect((await login(proof)).code).toBe(401)
    await walletLogin(env, mine)
    expect((await login(proof)).code).toBe(401)
    const changed = { ...proof, sign: malleated(proof.sign) }
    expect((await login(changed)).code).toBe(401)
  })

  it('with a malleated form of an unused signature', async () => {
    const proof = await walletLogin(env, wallet())
    expect((await login({ ...proof, sign: malleated(proof.sign) })).code).toBe(401)
    expect((await login(proof)).code).toBe(0)
  })

  it('with a signature of another text', async () => {
    const mine = wallet()
    const { code } = (await env.call('wallets.loginNonce', { username: mine.address }, place())).data
    for (const text of ['', 'TitanNetWork(123456)', `${code} `, code.toLowerCase(), code.replace('portal', 'evil')])
      expect(
        (await login({ username: mine.address, publicKey: mine.publicKey, sign: await mine.sign(text) })).code,
      ).toBe(401)
  })

  it('with a message for linking, and vice versa', async () => {
    const [mine, person] = [wallet(), await env.person()]
    const { address, ...toBind } = await walletProof(env, mine, person.token)
    expect((await login({ username: address, ...toBind })).code).toBe(401)
    const { username, ...toLogin } = await walletLogin(env, mine)
    const answer = await bind(mine, { address: username, ...toLogin }, person.token)
    expect(answer).toMatchObject({ code: -1, err: errors.walletSignature.err })
    expect((await env.call('wallets.bindInfo', {}, person)).data.wallets).toEqual([])
  })

  it(`with one message, except for one of ${MANY} concurrent requests`, async () => {
    const mine = wallet()
    const proof = await walletLogin(env, mine)
    const before = [await count('users'), await count('wallets')] as const
    const answers = await Promise.all(Array.from({ length: MANY }, () => login(proof)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    // An overloaded machine answers -1, which admits nobody either.
    expect(answers.filter(({ code }) => code !== 401 && code !== -1)).toHaveLength(1)
    expect([await count('users'), await count('wallets')]).toEqual([before[0] + 1, before[1] + 1])
  })

  it('even if many sign in concurrently with one message each: all get the same account', async () => {
    const mine = wallet()
    const proofs = await Promise.all(Array.from({ length: 15 }, () => walletLogin(env, mine)))
    const answers = await Promise.all(proofs.map((proof) => login(proof)))
    const uids = new Set<string>()
    for (const { data } of answers) uids.add((await env.call('accounts.info', {}, { token: data.token })).data.uuid)
    expect(uids.size).toBe(1)
  })
})

describe.each(kinds)('a %s wallet cannot be taken over', (_, wallet) => {
  it('by linking its address with the attacker’s key', async () => {
    const [victim, attacker, { token }] = [wallet(), wallet(), await env.person()]
    const { code } = (await env.call('wallets.bindNonce', { address: victim.address }, { ...place(), token })).data
    for (const sign of [await attacker.sign(code), await attacker.sign(code, victim.address)])
      expect(await bind(victim, { address: victim.address, publicKey: attacker.publicKey, sign }, token)).toMatchObject(
        {
          code: -1,
          err: errors.walletSignature.err,
        },
      )
  })

  it('if it opened or is linked to another account', async () => {
    const [opened, bound] = [wallet(), wallet()]
    const owners = [await walletOwner(opened), await env.person()]
    await linkSample(env, bound, owners[1]?.token ?? '')
    const thief = await env.person()
    for (const mine of [opened, bound]) {
      expect(await linkSample(env, mine, thief.token)).toMatchObject({ code: -1, err: errors.walletTaken.err })
      expect((await login(await walletLogin(env, mine))).code).toBe(0)
    }
  })

  it('with a proof that its owner made for another account', async () => {
    const [mine, owner, thief] = [wallet(), await env.person(), await env.person()]
    const proof = await walletProof(env, mine, owner.token)
    await walletProof(env, mine, thief.token)
    expect(await bind(mine, proof, thief.token)).toMatchObject({ code: -1, err: errors.walletSignature.err })
    expect(await bind(mine, proof, owner.token)).toMatchObject({ code: 0 })
    expect((await bind(mine, proof, thief.token)).code).toBe(-1)
  })

  it('by naming the victim in the body', async () => {
    const [mine, thief, victim] = [wallet(), await env.person(), await env.person()]
    const proof = await walletProof(env, mine, thief.token)
    await bind(mine, { ...proof, username: victim.email, user_id: victim.uid, verify_code: '123456' }, thief.token)
    expect((await env.call('wallets.bindInfo', {}, victim)).data.wallets).toEqual([])
    expect((await env.call('wallets.bindInfo', {}, thief)).data.wallets).toHaveLength(1)
    const unbind = { username: thief.email, user_id: thief.uid, address: mine.address }
    expect(await env.call('wallets.unbind', unbind, victim)).toMatchObject({ err: errors.walletUnknown.err })
  })

  it('by many accounts at once: one gets it', async () => {
    const mine = wallet()
    const people = await Promise.all(Array.from({ length: 20 }, () => env.person()))
    const proofs = await Promise.all(people.map(({ token }) => walletProof(env, mine, token)))
    const logins = await Promise.all(Array.from({ length: 5 }, () => walletLogin(env, mine)))
    const answers = await Promise.all([
      ...people.map(({ token }, index) => bind(mine, proofs[index] ?? {}, token)),
      ...logins.map((proof) => login(proof)),
    ])
    const owners = await env.db.rows(sql`
      select user_id from wallets where address = ${mine.publicKey ? mine.address : mine.address.toLowerCase()}`)
    expect(owners).toHaveLength(1)
    expect(answers.slice(0, 20).filter(({ code }) => code === 0).length).toBeLessThanOrEqual(1)
  })

  it('by linking many to one account at once: one is linked', async () => {
    const { token } = await env.person()
    const mine = Array.from({ length: 20 }, () => wallet())
    const proofs = await Promise.all(mine.map((each) => walletProof(env, each, token)))
    const answers = await Promise.all(mine.map((each, index) => bind(each, proofs[index] ?? {}, token)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await env.call('wallets.bindInfo', {}, { token })).data.wallets).toHaveLength(1)
  })

  it('within the 24-hour cooldown', async () => {
    const [mine, giver, taker] = [wallet(), await env.person(), await env.person()]
    await linkSample(env, mine, giver.token)
    const proof = await walletProof(env, mine, taker.token)
    const [, ...taken] = await Promise.all([
      env.call('wallets.unbind', {}, giver),
      ...Array.from({ length: 10 }, () => bind(mine, proof, taker.token)),
      linkSample(env, mine, taker.token),
    ])
    expect(taken.filter(({ code }) => code === 0)).toEqual([])
  })
})

describe('a public key', () => {
  it('is refused in its uncompressed form, or for its address on another chain', async () => {
    const key = randomBytes(32)
    const [wallet, elsewhere] = [cosmosWallet('tide', key), cosmosWallet('cosmos', key)]
    const proof = await walletLogin(env, wallet)
    const long = Buffer.from(Secp256k1.uncompressPubkey(Buffer.from(wallet.publicKey, 'hex'))).toString('hex')
    expect((await login({ ...proof, publicKey: long })).code).toBe(401)
    expect((await login({ ...proof, username: elsewhere.address })).code).toBe(401)
    expect((await login(proof)).code).toBe(0)
  })
})

describe('strangers', () => {
  it.each(kinds)('who request sign-in messages of a %s wallet do not lock its owner out', async (_, wallet) => {
    const mine = wallet()
    const username = mine.address
    const proof = await walletLogin(env, mine, { ip: '10.99.0.1' })
    for (let stranger = 0; stranger < 60; stranger++)
      await env.call('wallets.loginNonce', { username }, { ip: `10.98.${stranger}.1` })
    // Also from the owner's client network.
    for (let round = 0; round < 20; round++) await env.call('wallets.loginNonce', { username }, { ip: '10.99.0.1' })
    expect((await login(proof, { ip: '10.99.0.1' })).code).toBe(0)
    const again = await walletLogin(env, mine, { ip: '10.99.0.1' })
    expect((await login(again, { ip: '10.99.0.1' })).code).toBe(0)
  })

  it('cannot fill tables by requesting messages, and open no account', async () => {
    const before = [await count('users'), await count('wallets'), await count('wallet_nonces')] as const
    // More calls than one address may make in a minute, from many addresses of one client network.
    const answers = []
    for (let asked = 0; asked < 300; asked++) {
      const ip = `2001:db8:9:9::${asked.toString(16)}`
      answers.push(await env.call('wallets.loginNonce', { username: cosmosWallet().address }, { ip }))
    }
    expect(answers.at(-1)).toMatchObject({ code: -1, err: errors.tooManySignInMessages.err })
    expect(await count('wallet_nonces')).toBeLessThanOrEqual(before[2] + 60)
    expect([await count('users'), await count('wallets')]).toEqual([before[0], before[1]])
  })

  it('cannot fill tables with concurrent requests', async () => {
    const before = await count('wallet_nonces')
    await Promise.all(
      Array.from({ length: 300 }, (_, asked) =>
        env.call(
          'wallets.loginNonce',
          { username: evmWallet().address },
          { ip: `2001:db8:a:a::${asked.toString(16)}` },
        ),
      ),
    )
    expect(await count('wallet_nonces')).toBeLessThanOrEqual(before + 60)
  })

  it('get the same answers for wallets with and without an account', async () => {
    const [known, unknown] = [cosmosWallet(), cosmosWallet()]
    await walletOwner(known)
    const shape = async ({ address: username }: SampleWallet) => {
      const { data, headers: _, ...rest } = await env.call('wallets.loginNonce', { username }, place())
      return { ...rest, text: data.code.replace(username, '').replace(/[\da-f]{32}|\d{4}-[\d:.TZ-]+/g, '') }
    }
    expect(await shape(known)).toEqual(await shape(unknown))
    const wrong = async ({ address: username, publicKey }: SampleWallet) => {
      const { code, msg, status } = await login({ username, publicKey, sign: '11'.repeat(64) })
      return { code, msg, status }
    }
    expect(await wrong(known)).toEqual(await wrong(unknown))
  })
})
