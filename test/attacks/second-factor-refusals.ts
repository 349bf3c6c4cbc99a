import { PASSKEYS_MAX } from '@tidenet/contract'
import { type Asked, samplePasskey } from '../../apps/server/src/identity/second-factors/sample-passkey.fixture.ts'
import {
  cautious,
  nextCode,
  owner,
  PASSWORD,
  signedIn,
  ticketOf,
} from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type As, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

const cn = { lang: 'cn' } as const

/** Provokes each refusal of second factors, passkeys and sessions. */
export function secondFactorRefusals(env: () => TestEnv) {
  const complete = async (person: Person, shown: { code?: string; recovery?: string }, times = 1) => {
    const { ticket, ip } = await ticketOf(env(), person)
    let answer = await env().call('secondFactors.complete', { ticket, ...shown }, { ...cn, ip })
    for (let more = 1; more < times; more++)
      answer = await env().call('secondFactors.complete', { ticket, ...shown }, { ...cn, ip })
    return answer
  }
  const add = async (person: Person, passkey = samplePasskey(person.uid)) => {
    const { token } = await signedIn(env(), person)
    const asked = (await env().call('passkeys.addOptions', {}, { token })).data as Asked
    return env().call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { ...cn, token })
  }
  const later = async (person: Person) => {
    const long = new Date(env().clock.now() - 3_600_000)
    await env().db.run(sql`update sessions set created_at = ${long} where user_id = ${person.id}`)
    return { ...cn, token: person.token }
  }
  const started = async (as: As) => (await env().call('secondFactors.startTotp', {}, as)).data.secret
  const on = async (as: As) => {
    const code = nextCode(env(), await started(as))
    await env().call('secondFactors.confirmTotp', { code }, as)
  }
  return {
    async secondFactorNeeded() {
      const { email } = await cautious(env())
      return env().call('accounts.login', { username: email, password: PASSWORD }, cn)
    },
    secondFactorWrong: async () => complete(await cautious(env()), { recovery: 'wrong' }),
    async secondFactorLocked() {
      const person = await cautious(env())
      await complete(person, { recovery: 'wrong' }, 5)
      return complete(person, { recovery: 'wrong' })
    },
    signInExpired: () => env().call('secondFactors.complete', { ticket: 'nothing', recovery: 'wrong' }, cn),
    recentAuthRequired: async (_: As, person: Person) => env().call('secondFactors.startTotp', {}, await later(person)),
    recentAuthFailed: async () =>
      env().call('secondFactors.prove', { password: 'wrong' }, await later(await owner(env()))),
    async totpOn(as: As) {
      await on(as)
      return env().call('secondFactors.startTotp', {}, as)
    },
    totpOff: (as: As) => env().call('secondFactors.endTotp', { code: '123456' }, as),
    totpNotStarted: (as: As) => env().call('secondFactors.confirmTotp', { code: '123456' }, as),
    noSecondFactor: (as: As) => env().call('secondFactors.makeRecoveryCodes', {}, as),
    async passkeyRefused() {
      const credential = samplePasskey('nobody').shown({ challenge: 'AAAA' })
      return env().call('passkeys.login', { credential }, cn)
    },
    async passkeyExists(_: As, person: Person) {
      const passkey = samplePasskey(person.uid)
      await add(person, passkey)
      return add(await env().person(), passkey)
    },
    passkeyUnknown: (as: As) => env().call('passkeys.remove', { id: 'none' }, as),
    async tooManyPasskeys(as: As, { id }: Person) {
      await env().db.run(sql`
        insert into passkeys (credential_id, user_id, public_key, counter, name, created_at)
        select ${String(id)} || ' ' || n, ${id}, '', 0, 'one', ${new Date(env().clock.now())}
        from generate_series(1, ${PASSKEYS_MAX}) n`)
      return env().call('passkeys.addOptions', {}, as)
    },
    async passkeysUnavailable() {
      const elsewhere = await setup({ publicUrl: 'https://203.0.113.7' })
      try {
        return await elsewhere.call('passkeys.loginOptions', {}, cn)
      } finally {
        await elsewhere.close()
      }
    },
    async lastPasskey(as: As, person: Person) {
      const { id } = (await add(person)).data
      await env().db.run(sql`update users set email = null, password_hash = null where id = ${person.id}`)
      return env().call('passkeys.remove', { id }, as)
    },
    passkeyMissing: (as: As) => env().call('secondFactors.requirePasskey', { required: true }, as),
    sessionUnknown: (as: As) => env().call('sessions.revoke', {}, as),
  }
}
