import { createHash, randomBytes } from 'node:crypto'
import { EXTERNAL_SIGN_IN_LIFE, HANDOVER_CODE_LIFE, type IdentityFailure, type Lang } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { type Context, now } from '../context.ts'
import { type Clients, IdentityFailed } from './clients.ts'
import { ownPath } from './own-path.ts'
import type { SignInProvider } from './providers.ts'
import { dropFlows, findFlow, insertFlow, keepIdentity, useFlow } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'log'> & { clients: Clients }

/** 256 random bits as text: states, cookies, codes, and the verifier of PKCE, whose form it has. */
const secret = (): string => randomBytes(32).toString('base64url')
/** For random texts that long a plain hash is enough to keep a stolen table from telling them. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Sign-ins that one network may have under way for an account, or for nobody yet: with one more the oldest is dropped. */
const OF_A_NETWORK = 100

/** One cookie a sign-in, so that two at the same time do not disturb each other. */
export const cookieOf = (stateHash: Buffer): string => `sign-in-${stateHash.toString('hex').slice(0, 16)}`

export interface Begun {
  /** Where the browser goes now. */
  url: string
  cookie: { name: string; value: string }
}

/**
 * Begins a sign-in at another service. The cookie ties it to this browser: what comes back anywhere else is worth nothing.
 * @param userId the account that will be linked; null: somebody signs in
 * @throws IdentityFailed `unreachable`
 */
export async function beginFlow(
  context: Deps,
  provider: SignInProvider,
  {
    userId,
    redirect,
    redirectUri,
    lang,
    ip,
  }: { userId: number | null; redirect: string | undefined; redirectUri: string; lang: Lang; ip: string },
): Promise<Begun> {
  const [state, verifier, nonce, browser] = [secret(), secret(), secret(), secret()]
  const url = await context.clients.authorizationUrl(provider, { state, verifier, nonce, redirectUri, lang })
  const stateHash = hashOf(state)
  const network = clientNetworkOf(ip)
  await insertFlow(context.db, {
    stateHash,
    provider: provider.id,
    browserHash: hashOf(browser),
    verifier,
    nonce,
    userId,
    redirect: ownPath(redirect),
    network,
    expiresAt: new Date(context.clock.now() + EXTERNAL_SIGN_IN_LIFE),
  })
  await dropFlows(context.db, network, userId, OF_A_NETWORK)
  return { url, cookie: { name: cookieOf(stateHash), value: browser } }
}

/** How a sign-in came back: where the browser goes on to in the portal, and what it is told there. */
export interface Return {
  location: string
  /** Ends with this return. */
  cookie?: string
}

/**
 * Takes a browser back from the service it signed in at. Nobody is signed in yet: the portal does that with the code that it is handed over.
 * @param answer the address that the browser came back to
 * @param cookieNamed the value of one of its cookies
 */
export async function endFlow(
  context: Deps,
  provider: SignInProvider | undefined,
  answer: URL,
  cookieNamed: (name: string) => string | undefined,
): Promise<Return> {
  const at = now(context)
  const state = answer.searchParams.get('state') ?? ''
  const stateHash = hashOf(state)
  const name = cookieOf(stateHash)
  const flow = await findFlow(context.db, stateHash)
  const failed = (why: IdentityFailure): Return => ({ location: landing(flow, `identity=${why}`) })
  // Without a state nobody can tell whose browser this is; with one, only a missing cookie says that it kept none.
  if (state === '' || !provider) return failed('refused')
  const browser = cookieNamed(name)
  if (!browser) return failed(flow ? 'browser' : 'expired')
  const ended = (why: IdentityFailure): Return => ({ ...failed(why), cookie: name })
  // What one service answers is never taken for the answer of another; nor does trying it end the sign-in.
  if (flow && flow.provider !== provider.id) return failed('refused')
  const begun = await useFlow(context.db, { stateHash, provider: provider.id, browserHash: hashOf(browser), at })
  if (!begun) return ended('expired')
  try {
    const identity = await context.clients.identify(provider, answer, { state, ...begun })
    const code = secret()
    await keepIdentity(context.db, stateHash, identity, {
      codeHash: hashOf(code),
      expiresAt: new Date(context.clock.now() + HANDOVER_CODE_LIFE),
    })
    return { location: landing(flow, `handover=${code}`) }
  } catch (error) {
    if (!(error instanceof IdentityFailed)) throw error
    context.log.warn(
      { provider: provider.id, why: error.why, code: error.message },
      'a sign-in by another service failed',
    )
    return ended(error.why)
  }
}

/** A page of the portal; what it is told stands in the fragment, which no server and no log sees. */
export function landing(flow: { redirect: string; links: boolean } | undefined, fragment: string): string {
  if (flow?.links) return `${flow.redirect || '/myAccount'}#${fragment}`
  const search = flow?.redirect ? `?redirect=${encodeURIComponent(flow.redirect)}` : ''
  return `/login${search}#${fragment}`
}
