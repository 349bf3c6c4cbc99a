import { CODES_PER_ADDRESS_DAY } from '@tidenet/contract'
import { refusal } from '@tidenet/daemon'
import type { InjectOptions } from 'fastify'
import {
  handedOver,
  linkedIdentity,
} from '../../apps/server/src/identity/external-sign-in/sample-identities.fixture.ts'
import {
  cosmosWallet,
  linkSample,
  walletLogin,
  walletProof,
} from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { requireLinkedWallet } from '../../apps/server/src/identity/wallets/service.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import type { As, Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { address, cn, newNetwork, next, PASSWORD, type Refused } from './refused.ts'

/** Provokes each refusal of sign-in, wallets and external sign-in. */
export function accountRefusals(env: () => TestEnv, raw: (options: InjectOptions) => Promise<Refused>) {
  const askCode = (username: string, type = 1) => env().call('accounts.verifyCode', { username, type }, newNetwork())
  const register = (username: string, verify_code: string, password = PASSWORD) =>
    env().call('accounts.register', { username, verify_code, password }, newNetwork())
  const signIn = (username: string, password: string, as: As = newNetwork()) =>
    env().call('accounts.login', { username, password }, as)

  /** Completes an external sign-in, or links it to an account. */
  async function takeIdentity(identity: Parameters<typeof handedOver>[1], token = '') {
    const { code, cookies } = await handedOver(env(), identity)
    const url = `/api/v1/user/oauth/${identity.userId ? 'add' : 'finish'}`
    const headers = token ? { jwtauthorization: `Bearer ${token}` } : {}
    return raw({ method: 'POST', url, payload: { code }, cookies, headers })
  }

  return {
    identityUnreachable: (as: As) => env().call('identities.link', { provider: 'closed' }, as),
    identityExpired: () => env().call('identities.finish', { code: 'x' }, newNetwork()),
    identityEmailTaken: (_: As, { email }: Person) => takeIdentity({ provider: 'closed', subject: `${next()}`, email }),
    identityTaken: async (_: As, { id, token }: Person) => {
      const subject = `${next()}`
      await linkedIdentity(env(), { provider: 'closed', subject, userId: (await env().person()).id })
      return takeIdentity({ provider: 'closed', subject, userId: id }, token)
    },
    identityAlreadyLinked: async (_: As, { id, token }: Person) => {
      await linkedIdentity(env(), { provider: 'closed', subject: `${next()}`, userId: id })
      return takeIdentity({ provider: 'closed', subject: `${next()}`, userId: id }, token)
    },
    identityUnknown: (as: As) => env().call('identities.remove', { provider: 'closed' }, as),
    lastIdentity: async (as: As, { id }: Person) => {
      await linkedIdentity(env(), { provider: 'closed', subject: `${next()}`, userId: id })
      await env().db.run(sql`update users set email = null where id = ${id}`)
      return env().call('identities.remove', { provider: 'closed' }, as)
    },

    closingConfirm: (as: As) => env().call('closing.start', { confirm: 'x' }, as),
    closingObligations: async (as: As, { id, email }: Person) => {
      await env().db.run(sql`
        insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
        values (${id}, ${`tide${next()}`}, current_date, 1, '', 'reserved', now(), now())`)
      return env().call('closing.start', { confirm: email }, as)
    },
    closingPoints: async (as: As, { id, email }: Person) => {
      await env().db.run(sql`
        insert into point_entries (user_id, points, kind, reason, created_at) values (${id}, 1, 'granted', '', now())`)
      return env().call('closing.start', { confirm: email }, as)
    },
    closingRole: async () => {
      const { token, email } = await env().person({ role: 'operator' })
      return env().call('closing.start', { confirm: email }, { ...cn, token })
    },
    accountClosing: async (as: As, { id }: Person) => {
      await env().db.run(sql`update users set closing_at = now() + interval '7 days' where id = ${id}`)
      return env().call('uploads.info', { size: 10 }, as)
    },
    closingNone: (as: As) => env().call('closing.cancel', {}, as),
    emailSame: (as: As, { email }: Person) => env().call('emails.sendCode', { email }, as),
    emailUndoExpired: () => env().call('emails.undo', { token: 'a'.repeat(43) }, { ...cn, ...newNetwork() }),
    unsubscribeInvalid: () =>
      env().call(
        'notifications.subscription',
        { token: 'usage.somebody.AAAA', email: false },
        { ...cn, ...newNetwork() },
      ),
    signInFailed: () => signIn(address(), PASSWORD),
    signInLocked: async () => {
      const [who, from] = [address(), newNetwork()]
      for (let round = 0; round < 5; round++) await signIn(who, 'wrong-Net9', from)
      return signIn(who, 'wrong-Net9', from)
    },
    emailExists: async (_: As, person: Person) => {
      await askCode(person.email)
      return register(person.email, await lastCode(env(), person.email))
    },
    nameNotExists: async () => {
      const who = address()
      await askCode(who, 2)
      return env().call('accounts.login', { username: who, verify_code: await lastCode(env(), who) }, newNetwork())
    },
    invalidCode: async () => {
      const who = address()
      await askCode(who)
      return register(who, String((Number(await lastCode(env(), who)) + 1) % 1_000_000).padStart(6, '0'))
    },
    codeExpired: () => register(address(), '123456'),
    codeLocked: async () => {
      const who = address()
      await askCode(who)
      const wrong = String((Number(await lastCode(env(), who)) + 1) % 1_000_000).padStart(6, '0')
      for (let round = 0; round < 5; round++) await register(who, wrong)
      return register(who, wrong)
    },
    codeKind: () => askCode(address(), 9),
    codeTooSoon: async () => {
      const who = address()
      await askCode(who)
      return askCode(who)
    },
    tooManyCodes: async () => {
      const who = address()
      await env().db.run(sql`
        insert into code_log (address, ip, sent_at) select ${who}, '10.0.0.1', ${new Date(env().clock.now())} from generate_series(1, ${CODES_PER_ADDRESS_DAY}::int)`)
      return askCode(who)
    },
    emailMissing: () => askCode(' '),
    emailInvalid: () => askCode('nobody'),
    incomplete: () => register(address(), '123456', ''),
    passwordCharacters: () => register(address(), '123456', 'tide Net 9'),
    passwordLength: () => register(address(), '123456', 'tide9'),
    passwordWeak: () => register(address(), '123456', 'password1'),

    walletAddress: () => env().call('wallets.loginNonce', { username: 'nobody' }, newNetwork()),
    walletSignature: async (as: As) => {
      const proof = await walletProof(env(), cosmosWallet(), as.token ?? '')
      return env().call(
        'wallets.bindKeplr',
        { ...proof, ...cosmosWallet(), address: proof.address, sign: proof.sign },
        as,
      )
    },
    signInMessageExpired: async (as: As) => {
      const wallet = cosmosWallet()
      const { address, publicKey } = wallet
      return env().call('wallets.bindKeplr', { address, publicKey, sign: await wallet.sign('never asked for') }, as)
    },
    tooManySignInMessages: async () => {
      const { ip } = newNetwork()
      const at = new Date(env().clock.now())
      await env().db.run(sql`
        insert into wallet_nonces (id, purpose, address, text, ip, created_at, expires_at)
        select gen_random_uuid(), 'login', 'another', '', ${ip}, ${at}, ${new Date(at.getTime() + 60_000)} from generate_series(1, 60)`)
      return env().call('wallets.loginNonce', { username: cosmosWallet().address }, { ...cn, ip })
    },
    walletTaken: async (as: As) => {
      const wallet = cosmosWallet()
      await linkSample(env(), wallet, (await env().person()).token)
      return linkSample(env(), wallet, as.token ?? '', 'cn')
    },
    walletAlreadyLinked: async (as: As) => {
      await linkSample(env(), cosmosWallet(), as.token ?? '')
      return linkSample(env(), cosmosWallet(), as.token ?? '', 'cn')
    },
    walletCooldown: async (as: As) => {
      await linkSample(env(), cosmosWallet(), as.token ?? '')
      await env().call('wallets.unbind', {}, as)
      return linkSample(env(), cosmosWallet(), as.token ?? '', 'cn')
    },
    walletUnknown: (as: As) => env().call('wallets.unbind', {}, as),
    lastWallet: async () => {
      const { data } = await env().call('accounts.login', await walletLogin(env(), cosmosWallet()), newNetwork())
      return env().call('wallets.unbind', {}, { ...cn, token: data.token })
    },
    // Thrown by operations that need a wallet.
    walletRequired: (_: As, person: Person) =>
      requireLinkedWallet(env().db, person.id).then(
        () => ({}),
        (error) => refusal(error, 'cn') as Refused,
      ),
  }
}
