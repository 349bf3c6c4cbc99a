import { CODE_RESEND, errors, FREE_STORAGE, VIP_STORAGE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { lastCode } from '../../platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let addresses = 0
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const PASSWORD = 'tide-Net9'
/** An address that has just received a registration code. */
async function newcomer() {
  const username = `new${++addresses}@mail.test`
  await env.call('accounts.verifyCode', { username, type: 1 }, { ip: `10.0.0.${addresses}` })
  return { username, verify_code: await lastCode(env, username) }
}

describe('registering', () => {
  it('opens an account that can sign in immediately', async () => {
    const { username, verify_code } = await newcomer()
    expect(await env.call('accounts.register', { username, verify_code, password: PASSWORD })).toMatchObject({
      code: 0,
    })
    const { token } = (await env.call('accounts.login', { username, password: PASSWORD })).data
    const { data } = await env.call('accounts.info', {}, { token })
    expect(data).toMatchObject({
      username,
      user_email: username,
      wallet_address: '',
      role: 0,
      vip: false,
      allocate_storage: FREE_STORAGE,
    })
    expect(data.uuid).toMatch(/^u[a-z2-7]{16}$/)
    expect(Math.abs(Date.parse(data.created_at) - env.clock.now())).toBeLessThan(60_000)
  })

  it('stores the password as an argon2id hash', async () => {
    const { username, verify_code } = await newcomer()
    await env.call('accounts.register', { username, verify_code, password: PASSWORD })
    const { password_hash } = await env.db.one<{ password_hash: string }>(
      sql`select password_hash from users where email = ${username}`,
    )
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('succeeds once for fifty concurrent requests with the correct code', async () => {
    const { username, verify_code } = await newcomer()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        env.call('accounts.register', { username, verify_code, password: PASSWORD }, { ip: `10.4.0.${index}` }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) as count from users where email = ${username}`,
    )
    expect(count).toBe(1)
  })

  it('does not use up the code if the password is invalid', async () => {
    const { username, verify_code } = await newcomer()
    for (let tries = 0; tries < 6; tries++)
      await env.call('accounts.register', { username, verify_code, password: 'short' })
    expect(await env.call('accounts.register', { username, verify_code, password: PASSWORD })).toMatchObject({
      code: 0,
    })
  })
})

describe('the profile', () => {
  it('shows the VIP plan and an individual quota', async () => {
    const vip = await env.person({ vip: true })
    const own = await env.person({ storageQuota: 7 })
    expect((await env.call('accounts.info', {}, { token: vip.token })).data.allocate_storage).toBe(VIP_STORAGE)
    expect((await env.call('accounts.info', {}, { token: own.token })).data.allocate_storage).toBe(7)
    expect((await env.call('accounts.vipInfo', {}, { token: vip.token })).data).toMatchObject({ vip: true })
  })

  it('can be read with an API key', async () => {
    const person = await env.person()
    const token = await env.key(person, ['readFile'])
    expect((await env.call('accounts.vipInfo', {}, { token })).data.uid).toBe(person.uid)
  })
})

describe('registering is refused', () => {
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
    const english = await env.call('accounts.register', { username, verify_code, password }, { lang: 'en' })
    const chinese = await env.call('accounts.register', { username, verify_code, password }, { lang: 'cn' })
    expect(english).toMatchObject({ code: -1, err })
    expect(chinese).toMatchObject({ code: -1, err })
    expect(english.msg).not.toBe(chinese.msg)
  })

  it('for an address that has an account, only after a correct code', async () => {
    const { username, verify_code } = await newcomer()
    await env.call('accounts.register', { username, verify_code, password: PASSWORD })
    env.pass(CODE_RESEND)
    expect(await env.call('accounts.verifyCode', { username, type: 1 })).toMatchObject({ code: 0 })
    const again = { username, verify_code: await lastCode(env, username), password: 'other-Net9' }
    expect(await env.call('accounts.register', again)).toMatchObject({ code: -1, err: errors.emailExists.err })
    expect(await env.call('accounts.login', { username, password: PASSWORD })).toMatchObject({ code: 0 })
  })

  it.each(['12345', '1234567', 'abcdef', '', '١٢٣٤٥٦'])('with the code %j', async (verify_code) => {
    const { username } = await newcomer()
    expect(await env.call('accounts.register', { username, verify_code, password: PASSWORD })).toMatchObject({
      code: -1,
      err: errors.invalidCode.err,
    })
  })

  it('if no code was requested', async () => {
    const input = { username: 'silent@mail.test', verify_code: '000000', password: PASSWORD }
    expect(await env.call('accounts.register', input)).toMatchObject({ code: -1, err: errors.codeExpired.err })
  })
})
