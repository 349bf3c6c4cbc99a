import { randomBytes } from 'node:crypto'
import { EXTERNAL_SIGN_IN_LIFE, HANDOVER_CODE_LIFE, type IdentityFailure, type Lang } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type Context, now } from '../context.ts'
import { type Clients, IdentityFailed } from './clients.ts'
import { ownPath } from './own-path.ts'
import type { SignInProvider } from './providers.ts'
import { deleteOldFlows, findFlow, insertFlow, storeIdentity, useFlow } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'log'> & { clients: Clients }

/** 256 random bits for states, cookies, codes and PKCE verifiers. */
const secret = (): string => randomBytes(32).toString('base64url')

/** Open flows per client network and account (or without account). One more removes the oldest. */
const MAX_PER_NETWORK = 100

/** Each flow has its own cookie, so that concurrent flows work. */
export const cookieOf = (stateHash: Buffer): string => `sign-in-${stateHash.toString('hex').slice(0, 16)}`

export interface StartedFlow {
  /** The browser is redirected here. */
  url: string
  cookie: { name: string; value: string }
}

/**
 * Starts a flow. The cookie binds it to this browser.
 * @param userId the account to link; null: sign in
 * @throws IdentityFailed `unreachable`
 */
export async function startFlow(
  context: Deps,
  provider: SignInProvider,
  {
    userId,
    redirect,
    redirectUri,
    lang,
    ip,
  }: { userId: number | null; redirect: string | undefined; redirectUri: string; lang: Lang; ip: string },
): Promise<StartedFlow> {
  const [state, verifier, nonce, browser] = [secret(), secret(), secret(), secret()]
  const url = await context.clients.authorizationUrl(provider, { state, verifier, nonce, redirectUri, lang })
  const stateHash = hashToken(state)
  const network = clientNetworkOf(ip)
  await insertFlow(context.db, {
    stateHash,
    provider: provider.id,
    browserHash: hashToken(browser),
    verifier,
    nonce,
    userId,
    redirect: ownPath(redirect),
    network,
    expiresAt: new Date(context.clock.now() + EXTERNAL_SIGN_IN_LIFE),
  })
  await deleteOldFlows(context.db, network, userId, MAX_PER_NETWORK)
  return { url, cookie: { name: cookieOf(stateHash), value: browser } }
}

export interface CallbackResult {
  /** The page of the portal to which the browser is redirected. */
  location: string
  /** Name of the cookie to delete. */
  cookie?: string
}

/**
 * Handles the callback of a service. The user is not signed in yet: the portal redeems the handover code for a session.
 * @param answer URL of the callback
 * @param cookieNamed reads a cookie of the browser
 */
export async function finishFlow(
  context: Deps,
  provider: SignInProvider | undefined,
  answer: URL,
  cookieNamed: (name: string) => string | undefined,
): Promise<CallbackResult> {
  const at = now(context)
  const state = answer.searchParams.get('state') ?? ''
  const stateHash = hashToken(state)
  const name = cookieOf(stateHash)
  const flow = await findFlow(context.db, stateHash)
  const failed = (why: IdentityFailure): CallbackResult => ({ location: landing(flow, `identity=${why}`) })
  // Without a state, the browser is unknown. With one, a missing cookie means that the browser did not store it.
  if (state === '' || !provider) return failed('refused')
  const browser = cookieNamed(name)
  if (!browser) return failed(flow ? 'browser' : 'expired')
  const ended = (why: IdentityFailure): CallbackResult => ({ ...failed(why), cookie: name })
  // Reject the response of another service, without ending the flow.
  if (flow && flow.provider !== provider.id) return failed('refused')
  const used = await useFlow(context.db, { stateHash, provider: provider.id, browserHash: hashToken(browser), at })
  if (!used) return ended('expired')
  try {
    const identity = await context.clients.identify(provider, answer, { state, ...used })
    const code = secret()
    await storeIdentity(context.db, stateHash, identity, {
      codeHash: hashToken(code),
      expiresAt: new Date(context.clock.now() + HANDOVER_CODE_LIFE),
    })
    return { location: landing(flow, `handover=${code}`) }
  } catch (error) {
    if (!(error instanceof IdentityFailed)) throw error
    context.log.warn({ provider: provider.id, why: error.why, code: error.message }, 'external sign-in failed')
    return ended(error.why)
  }
}

/** A page of the portal. The result is in the fragment, which is not sent to servers or logged. */
export function landing(flow: { redirect: string; links: boolean } | undefined, fragment: string): string {
  if (flow?.links) return `${flow.redirect || '/myAccount'}#${fragment}`
  const search = flow?.redirect ? `?redirect=${encodeURIComponent(flow.redirect)}` : ''
  return `/login${search}#${fragment}`
}
