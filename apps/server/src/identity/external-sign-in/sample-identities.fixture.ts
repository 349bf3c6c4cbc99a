import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import { hashToken } from '../../platform/token-hash.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { cookieOf } from './flows.ts'

/** For tests: a handover code, as after a callback of a service. */
export async function handedOver(
  { db, clock }: Pick<TestEnv, 'db' | 'clock'>,
  identity: { provider: string; subject: string; email?: string; userId?: number },
): Promise<{ code: string; cookies: Record<string, string> }> {
  const [state, browser, code] = [0, 1, 2].map(() => randomBytes(32).toString('base64url')) as [string, string, string]
  const at = clock.now()
  const email = identity.email ?? ''
  await db.run(sql`
    insert into sign_in_flows (state_hash, provider, browser_hash, verifier, nonce, user_id, redirect, expires_at, used_at, code_hash,
      subject, verified_email, shown_email)
    values (${hashToken(state)}, ${identity.provider}, ${hashToken(browser)}, '', '', ${identity.userId ?? null}, '',
      ${new Date(at + 60_000)}, ${new Date(at)}, ${hashToken(code)}, ${identity.subject}, ${email}, ${email})`)
  return { code, cookies: { [cookieOf(hashToken(state))]: browser } }
}

/** For tests: a linked identity. */
export async function linkedIdentity(
  { db, clock }: Pick<TestEnv, 'db' | 'clock'>,
  { provider, subject, userId }: { provider: string; subject: string; userId: number },
): Promise<void> {
  await db.run(sql`
    insert into identities (provider, subject, user_id, name, email, created_at)
    values (${provider}, ${subject}, ${userId}, '', '', ${new Date(clock.now())})`)
}
