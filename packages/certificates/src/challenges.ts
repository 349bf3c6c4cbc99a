import type { Clock } from '@tidenet/daemon'
import type { Documents } from './documents.ts'
import { documentsOf } from './documents.ts'
import { isHostname } from './hostnames.ts'
import type { CertificateStore } from './store.ts'

/** The answers to challenges of a CA. They are in the store, because the CA may ask another server than the one that ordered. */
export interface Challenges {
  /**
   * Texts for DNS-01.
   * @param name such as `_acme-challenge.apps.example.com`
   */
  texts(name: string): Promise<string[]>
  /**
   * The body for HTTP-01 (text/plain); undefined: 404. It must be served on port 80, without redirect to an address that needs a certificate.
   * @param path such as `/.well-known/acme-challenge/…`
   */
  httpAnswer(path: string): Promise<string | undefined>
  /** After `delayMs`, every server gives the answer. */
  put(challenge: ChallengeAnswer): Promise<void>
  remove(challenge: ChallengeAnswer): Promise<void>
  delayMs: number
}

export type ChallengeAnswer =
  | { type: 'dns-01' /** Without `*.`. */; domain: string; text: string }
  | { type: 'http-01'; token: string; body: string }

/** Answers of orders that nobody finished, for example because the server was removed, are ignored afterwards. */
const FORGET_AFTER_MS = 7 * 24 * 3_600_000
/** RFC 8555: base64url, at least 128 bits. */
const PATH = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{20,128})$/

export const CHALLENGE_LABEL = '_acme-challenge'

interface Answers {
  values: { /** Domain or token. */ of: string; value: string /** Unix ms. */; at: number }[]
}

const DNS_KEY = 'challenge/dns'
/** How long texts are remembered, so that a flood of invented names costs four reads a second, not one each. */
const CACHE_MS = 250

/** The answers in a store; `put` and `remove` are called by `createCertificates`. */
export function createChallenges(store: CertificateStore, clock: Clock, { cacheMs = CACHE_MS } = {}): Challenges {
  const documents: Documents = documentsOf(store)
  const isFresh = ({ at }: { at: number }) => at > clock.now() - FORGET_AFTER_MS
  const valuesOf = (answers: Answers | undefined, of: string) =>
    answers?.values.filter((each) => each.of === of && isFresh(each)).map(({ value }) => value) ?? []
  let cached: { at: number; answers: Promise<Answers | undefined> } | undefined

  const readTexts = () => {
    const at = performance.now()
    if (!cached || at - cached.at >= cacheMs) cached = { at, answers: documents.read<Answers>(DNS_KEY) }
    return cached.answers
  }
  // A wildcard and the name without it have the same name of the text, so there may be several values.
  const set = (key: string, of: string, value: string, isThere: boolean) =>
    documents.change<Answers, void>(key, (before) => {
      const others = before?.values.filter((each) => !(each.of === of && each.value === value) && isFresh(each)) ?? []
      const values = isThere ? [...others, { of, value, at: clock.now() }] : others
      return { after: values.length > 0 ? { values } : undefined, result: undefined }
    })
  const change = async (challenge: ChallengeAnswer, isThere: boolean) => {
    if (challenge.type === 'dns-01') await set(DNS_KEY, challenge.domain, challenge.text, isThere)
    else await set(httpKey(challenge.token), challenge.token, challenge.body, isThere)
    cached = undefined
  }
  const httpKey = (token: string) => `challenge/http-${token}`

  return {
    delayMs: 2 * cacheMs,
    async texts(name) {
      const domain = name.toLowerCase().slice(CHALLENGE_LABEL.length + 1)
      if (!name.toLowerCase().startsWith(`${CHALLENGE_LABEL}.`) || !isHostname(domain)) return []
      return valuesOf(await readTexts(), domain)
    },
    async httpAnswer(path) {
      // Strangers send any path; only what may be a token reaches the store.
      const [, token] = PATH.exec(path) ?? []
      return token === undefined ? undefined : valuesOf(await documents.read<Answers>(httpKey(token)), token)[0]
    },
    put: (challenge) => change(challenge, true),
    remove: (challenge) => change(challenge, false),
  }
}
