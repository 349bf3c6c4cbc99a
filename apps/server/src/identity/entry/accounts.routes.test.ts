import { CODE_RESEND, errors, FREE_STORAGE, VIP_STORAGE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { lastCode } from '../../platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let world: TestEnv
let addresses = 0
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const PASSWORD = 'tide-Net9'
/** An address that has just been mailed a registration code. */
async function newcomer() {
  const username = `new${++addresses}@mail.test`
  await world.call('accounts.verifyCode', { username, type: 1 }, { ip: `10.0.0.${addresses}` })
  return { username, verify_code: await lastCode(world, username) }
}

describe('registering', () => {
  it('opens an account that signs in at once', async () => {
    const { username, verify_code } = await newcomer()
    expect(await world.call('accounts.register', { username, verify_code, password: PASSWORD })).toMatchObject({
      code: 0,
    })
    const { token } = (await world.call('accounts.login', { username, password: PASSWORD })).data
    const { data } = await world.call('accounts.info', {}, { token })
    expect(data).toMatchObject({
      username,
      user_email: username,
      wallet_address: '',
      role: 0,
      vip: false,
      allocate_storage: FREE_STORAGE,
    })
    expect(data.uuid).toMatch(/^u[a-z2-7]{16}$/)
    expect(Math.abs(Date.parse(data.created_at) - world.clock.now())).toBeLessThan(60_000)
  })

  it('keeps the password as an argon2id hash', async () => {
    const { username, verify_code } = await newcomer()
    await world.call('accounts.register', { username, verify_code, password: PASSWORD })
    const { password_hash } = await world.db.one<{ password_hash: string }>(
      sql`select password_hash from users where email = ${username}`,
    )
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('counts once when fifty send the right code at the same moment', async () => {
    const { username, verify_code } = await newcomer()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        world.call('accounts.register', { username, verify_code, password: PASSWORD }, { ip: `10.4.0.${index}` }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    const { count } = await world.db.one<{ count: number }>(
      sql`select count(*) as count from users where email = ${username}`,
    )
    expect(count).toBe(1)
  })

  it('does not spend the code on a password that breaks a rule', async () => {
    const { username, verify_code } = await newcomer()
    for (let tries = 0; tries < 6; tries++)
      await world.call('accounts.register', { username, verify_code, password: 'short' })
    expect(await world.call('accounts.register', { username, verify_code, password: PASSWORD })).toMatchObject({
      code: 0,
    })
  })
})

describe('the profile', () => {
  it('shows the plan of a VIP and a quota of the account’s own', async () => {
    const vip = await world.person({ vip: true })
    const own = await world.person({ storageQuota: 7 })
    expect((await world.call('accounts.info', {}, { token: vip.token })).data.allocate_storage).toBe(VIP_STORAGE)
    expect((await world.call('accounts.info', {}, { token: own.token })).data.allocate_storage).toBe(7)
    expect((await world.call('accounts.vipInfo', {}, { token: vip.token })).data).toMatchObject({ vip: true })
  })

  it('is shown to a key of the account', async () => {
    const person = await world.person()
    const token = await world.key(person, ['readFile'])
    expect((await world.call('accounts.vipInfo', {}, { token })).data.uid).toBe(person.uid)
  })
})

describe('who gets no account', () => {
  it.each([
    ['', errors.incomplete.err],
    ['tide-N9', errors.passwordLength.err],
    ['tide-Net9-tid', errors.passwordLength.err],
    ['tide Net9', errors.passwordCharacters.err],
    ['密码密码密码密码', errors.passwordCharacters.err],
    ['tide-Net\u{1f30a}', errors.passwordCharacters.err],
    ['password1', errors.passwordWeak.err],
  ])('with the password %j', async (password, err) => {
    const { username, verify_code } = await newcomer()
    const english = await world.call('accounts.register', { username, verify_code, password }, { lang: 'en' })
    const chinese = await world.call('accounts.register', { username, verify_code, password }, { lang: 'cn' })
    expect(english).toMatchObject({ code: -1, err })
    expect(chinese).toMatchObject({ code: -1, err })
    expect(english.msg).not.toBe(chinese.msg)
  })

  it('with an address that has one, once the code shows who reads its mail', async () => {
    const { username, verify_code } = await newcomer()
    await world.call('accounts.register', { username, verify_code, password: PASSWORD })
    world.pass(CODE_RESEND)
    expect(await world.call('accounts.verifyCode', { username, type: 1 })).toMatchObject({ code: 0 })
    const again = { username, verify_code: await lastCode(world, username), password: 'other-Net9' }
    expect(await world.call('accounts.register', again)).toMatchObject({ code: -1, err: errors.emailExists.err })
    expect(await world.call('accounts.login', { username, password: PASSWORD })).toMatchObject({ code: 0 })
  })

  it.each(['12345', '1234567', 'abcdef', '', '١٢٣٤٥٦'])('with the code %j', async (verify_code) => {
    const { username } = await newcomer()
    expect(await world.call('accounts.register', { username, verify_code, password: PASSWORD })).toMatchObject({
      code: -1,
      err: errors.invalidCode.err,
    })
  })

  it('without ever asking for a code', async () => {
    const input = { username: 'silent@mail.test', verify_code: '000000', password: PASSWORD }
    expect(await world.call('accounts.register', input)).toMatchObject({ code: -1, err: errors.codeExpired.err })
  })
})
