import { randomBytes } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../apps/server/src/identity/accounts/passwords.ts'
import {
  bindSample,
  cosmosWallet,
  evmWallet,
  malleated,
  place,
  type SampleWallet,
  walletLogin,
  walletProof,
} from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const kinds: [string, () => SampleWallet][] = [
  ['of the chain', cosmosWallet],
  ['with 0x', evmWallet],
]
const login = (input: object, from: { ip?: string } = place()) => world.call('accounts.login', input as never, from)
const bind = (wallet: SampleWallet, proof: object, token: string) =>
  world.call(wallet.publicKey ? 'wallets.bindKeplr' : 'wallets.bindEvm', proof as never, { ...place(), token })
const count = async (table: 'users' | 'wallets' | 'wallet_nonces') =>
  (await world.db.one<{ rows: number }>({ text: `select count(*) as rows from ${table}`, values: [] })).rows

/** An account that its wallet has opened. */
async function walletOwner(wallet: SampleWallet) {
  const { token } = (await login(await walletLogin(world, wallet))).data
  const { uuid } = (await world.call('accounts.info', {}, { token })).data
  return { token, uid: uuid }
}

describe.each(kinds)('signing in as somebody else, with a wallet %s,', (_, wallet) => {
  it('by the victim’s name and one’s own address, key and signature', async () => {
    const [victim, attacker] = [wallet(), wallet()]
    await walletOwner(victim)
    const { code } = (await world.call('wallets.loginNonce', { username: victim.address }, place())).data
    const own = { publicKey: attacker.publicKey, sign: await attacker.sign(code) }
    const asVictim = { publicKey: attacker.publicKey, sign: await attacker.sign(code, victim.address) }
    for (const proof of [own, asVictim])
      for (const address of [attacker.address, victim.address, '', undefined])
        expect(await login({ username: victim.address, address, ...proof })).toMatchObject({
          code: 401,
          success: false,
        })
  })

  it('by an e-mail account’s name', async () => {
    const [attacker, victim] = [wallet(), await world.person()]
    await world.db.run(sql`update users set password_hash = ${await hashPassword('tide-Net9')} where id = ${victim.id}`)
    const { sign, publicKey } = await walletLogin(world, attacker)
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

  it('by a proof for one’s own address, sent with the victim’s', async () => {
    const [victim, attacker] = [wallet(), wallet()]
    await walletOwner(victim)
    const proof = await walletLogin(world, attacker)
    expect((await login({ ...proof, address: victim.address })).code).toBe(401)
    expect((await login({ ...proof, username: victim.address, address: attacker.address })).code).toBe(401)
  })

  it('by a signature that was used', async () => {
    const mine = wallet()
    const proof = await walletLogin(world, mine)
    expect((await login(proof)).code).toBe(0)
    expect((await login(proof)).code).toBe(401)
    await walletLogin(world, mine)
    expect((await login(proof)).code).toBe(401)
    const changed = { ...proof, sign: malleated(proof.sign) }
    expect((await login(changed)).code).toBe(401)
  })

  it('by the other signature that follows from one that was not used', async () => {
    const proof = await walletLogin(world, wallet())
    expect((await login({ ...proof, sign: malleated(proof.sign) })).code).toBe(401)
    expect((await login(proof)).code).toBe(0)
  })

  it('by a text of one’s own making', async () => {
    const mine = wallet()
    const { code } = (await world.call('wallets.loginNonce', { username: mine.address }, place())).data
    for (const text of ['', 'TitanNetWork(123456)', `${code} `, code.toLowerCase(), code.replace('portal', 'evil')])
      expect(
        (await login({ username: mine.address, publicKey: mine.publicKey, sign: await mine.sign(text) })).code,
      ).toBe(401)
  })

  it('by a text that was given for binding, and the reverse', async () => {
    const [mine, person] = [wallet(), await world.person()]
    const { address, ...toBind } = await walletProof(world, mine, person.token)
    expect((await login({ username: address, ...toBind })).code).toBe(401)
    const { username, ...toLogin } = await walletLogin(world, mine)
    const answer = await bind(mine, { address: username, ...toLogin }, person.token)
    expect(answer).toMatchObject({ code: -1, err: errors.walletSignature.err })
    expect((await world.call('wallets.bindInfo', {}, person)).data.wallets).toEqual([])
  })

  it('a thousand times at the same moment with one text: one comes in, to one account', async () => {
    const mine = wallet()
    const proof = await walletLogin(world, mine)
    const before = [await count('users'), await count('wallets')] as const
    const answers = await Promise.all(Array.from({ length: 1000 }, () => login(proof)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    // A machine that is too busy to look answers so, which lets nobody in either.
    expect(answers.filter(({ code }) => code !== 401 && code !== -1)).toHaveLength(1)
    expect([await count('users'), await count('wallets')]).toEqual([before[0] + 1, before[1] + 1])
  })

  it('many times at the same moment with a text each: all come in, to one account', async () => {
    const mine = wallet()
    const proofs = await Promise.all(Array.from({ length: 15 }, () => walletLogin(world, mine)))
    const answers = await Promise.all(proofs.map((proof) => login(proof)))
    const uids = new Set<string>()
    for (const { data } of answers) uids.add((await world.call('accounts.info', {}, { token: data.token })).data.uuid)
    expect(uids.size).toBe(1)
  })
})

describe.each(kinds)('taking a wallet %s', (_, wallet) => {
  it('by binding a foreign address with one’s own key', async () => {
    const [victim, attacker, { token }] = [wallet(), wallet(), await world.person()]
    const { code } = (await world.call('wallets.bindNonce', { address: victim.address }, { ...place(), token })).data
    for (const sign of [await attacker.sign(code), await attacker.sign(code, victim.address)])
      expect(await bind(victim, { address: victim.address, publicKey: attacker.publicKey, sign }, token)).toMatchObject(
        {
          code: -1,
          err: errors.walletSignature.err,
        },
      )
  })

  it('by binding one that opened or was bound to another account', async () => {
    const [opened, bound] = [wallet(), wallet()]
    const owners = [await walletOwner(opened), await world.person()]
    await bindSample(world, bound, owners[1]?.token ?? '')
    const thief = await world.person()
    for (const mine of [opened, bound]) {
      expect(await bindSample(world, mine, thief.token)).toMatchObject({ code: -1, err: errors.walletTaken.err })
      expect((await login(await walletLogin(world, mine))).code).toBe(0)
    }
  })

  it('by a proof that its owner made for another account', async () => {
    const [mine, owner, thief] = [wallet(), await world.person(), await world.person()]
    const proof = await walletProof(world, mine, owner.token)
    await walletProof(world, mine, thief.token)
    expect(await bind(mine, proof, thief.token)).toMatchObject({ code: -1, err: errors.walletSignature.err })
    expect(await bind(mine, proof, owner.token)).toMatchObject({ code: 0 })
    expect((await bind(mine, proof, thief.token)).code).toBe(-1)
  })

  it('by naming the victim in the body', async () => {
    const [mine, thief, victim] = [wallet(), await world.person(), await world.person()]
    const proof = await walletProof(world, mine, thief.token)
    await bind(mine, { ...proof, username: victim.email, user_id: victim.uid, verify_code: '123456' }, thief.token)
    expect((await world.call('wallets.bindInfo', {}, victim)).data.wallets).toEqual([])
    expect((await world.call('wallets.bindInfo', {}, thief)).data.wallets).toHaveLength(1)
    const unbind = { username: thief.email, user_id: thief.uid, address: mine.address }
    expect(await world.call('wallets.unbind', unbind, victim)).toMatchObject({ err: errors.walletUnknown.err })
  })

  it('in many accounts at the same moment: one has it', async () => {
    const mine = wallet()
    const people = await Promise.all(Array.from({ length: 20 }, () => world.person()))
    const proofs = await Promise.all(people.map(({ token }) => walletProof(world, mine, token)))
    const logins = await Promise.all(Array.from({ length: 5 }, () => walletLogin(world, mine)))
    const answers = await Promise.all([
      ...people.map(({ token }, index) => bind(mine, proofs[index] ?? {}, token)),
      ...logins.map((proof) => login(proof)),
    ])
    const owners = await world.db.rows(sql`
      select user_id from wallets where address = ${mine.publicKey ? mine.address : mine.address.toLowerCase()}`)
    expect(owners).toHaveLength(1)
    expect(answers.slice(0, 20).filter(({ code }) => code === 0).length).toBeLessThanOrEqual(1)
  })

  it('many in one account at the same moment: it has one', async () => {
    const { token } = await world.person()
    const mine = Array.from({ length: 20 }, () => wallet())
    const proofs = await Promise.all(mine.map((each) => walletProof(world, each, token)))
    const answers = await Promise.all(mine.map((each, index) => bind(each, proofs[index] ?? {}, token)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await world.call('wallets.bindInfo', {}, { token })).data.wallets).toHaveLength(1)
  })

  it('by passing it around faster than the day of waiting', async () => {
    const [mine, giver, taker] = [wallet(), await world.person(), await world.person()]
    await bindSample(world, mine, giver.token)
    const proof = await walletProof(world, mine, taker.token)
    const [, ...taken] = await Promise.all([
      world.call('wallets.unbind', {}, giver),
      ...Array.from({ length: 10 }, () => bind(mine, proof, taker.token)),
      bindSample(world, mine, taker.token),
    ])
    expect(taken.filter(({ code }) => code === 0)).toEqual([])
  })
})

describe('a key', () => {
  it('in its long form, or one that fits another chain’s address of the same key, is refused', async () => {
    const key = randomBytes(32)
    const [wallet, elsewhere] = [cosmosWallet('tide', key), cosmosWallet('cosmos', key)]
    const proof = await walletLogin(world, wallet)
    const long = Buffer.from(Secp256k1.uncompressPubkey(Buffer.from(wallet.publicKey, 'hex'))).toString('hex')
    expect((await login({ ...proof, publicKey: long })).code).toBe(401)
    expect((await login({ ...proof, username: elsewhere.address })).code).toBe(401)
    expect((await login(proof)).code).toBe(0)
  })
})

describe('strangers', () => {
  it.each(kinds)('who ask for texts of a wallet %s do not keep its owner out', async (_, wallet) => {
    const mine = wallet()
    const username = mine.address
    const proof = await walletLogin(world, mine, { ip: '10.99.0.1' })
    for (let stranger = 0; stranger < 60; stranger++)
      await world.call('wallets.loginNonce', { username }, { ip: `10.98.${stranger}.1` })
    // From where the owner is, and a crowd asks too.
    for (let round = 0; round < 20; round++) await world.call('wallets.loginNonce', { username }, { ip: '10.99.0.1' })
    expect((await login(proof, { ip: '10.99.0.1' })).code).toBe(0)
    const again = await walletLogin(world, mine, { ip: '10.99.0.1' })
    expect((await login(again, { ip: '10.99.0.1' })).code).toBe(0)
  })

  it('cannot fill the tables by asking for texts, and open no account', async () => {
    const before = [await count('users'), await count('wallets'), await count('wallet_nonces')] as const
    // More than a minute’s calls of one address, from the addresses of one network.
    const answers = []
    for (let asked = 0; asked < 300; asked++) {
      const ip = `2001:db8:9:9::${asked.toString(16)}`
      answers.push(await world.call('wallets.loginNonce', { username: cosmosWallet().address }, { ip }))
    }
    expect(answers.at(-1)).toMatchObject({ code: -1, err: errors.tooManySignInMessages.err })
    expect(await count('wallet_nonces')).toBeLessThanOrEqual(before[2] + 60)
    expect([await count('users'), await count('wallets')]).toEqual([before[0], before[1]])
  })

  it('cannot fill them at the same moment either', async () => {
    const before = await count('wallet_nonces')
    await Promise.all(
      Array.from({ length: 300 }, (_, asked) =>
        world.call(
          'wallets.loginNonce',
          { username: evmWallet().address },
          { ip: `2001:db8:a:a::${asked.toString(16)}` },
        ),
      ),
    )
    expect(await count('wallet_nonces')).toBeLessThanOrEqual(before + 60)
  })

  it('learn nothing of a wallet by asking: with and without an account it is the same', async () => {
    const [known, unknown] = [cosmosWallet(), cosmosWallet()]
    await walletOwner(known)
    const shape = async ({ address: username }: SampleWallet) => {
      const { data, headers: _, ...rest } = await world.call('wallets.loginNonce', { username }, place())
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
