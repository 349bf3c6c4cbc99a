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
  put(challenge: ChallengeAnswer): Promise<void>
  remove(challenge: ChallengeAnswer): Promise<void>
}

export type ChallengeAnswer =
  | { type: 'dns-01' /** Without `*.`. */; domain: string; text: string }
  | { type: 'http-01'; token: string; body: string }

/** Answers of orders that nobody finished, for example because the server was removed, are ignored afterwards. */
const FORGET_AFTER_MS = 7 * 24 * 3_600_000
/** RFC 8555: base64url, at least 128 bits. */
const PATH = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{20,128})$/

export const CHALLENGE_LABEL = '_acme-challenge'

interface ChallengeDocument {
  values: { value: string /** Unix ms. */; at: number }[]
}

/** The answers in a store; `put` and `remove` are called by `createCertificates`. */
export function createChallenges(store: CertificateStore, clock: Clock): Challenges {
  const documents: Documents = documentsOf(store)
  const isFresh = ({ at }: { at: number }) => at > clock.now() - FORGET_AFTER_MS
  const read = async (key: string) => (await documents.read<ChallengeDocument>(key))?.values.filter(isFresh) ?? []
  // A wildcard and the name without it have the same name of the text, so there may be several.
  const change = (key: string, value: string, isThere: boolean) =>
    documents.change<ChallengeDocument, void>(key, (before) => {
      const others = before?.values.filter((each) => each.value !== value && isFresh(each)) ?? []
      const values = isThere ? [...others, { value, at: clock.now() }] : others
      return { after: values.length > 0 ? { values } : undefined, result: undefined }
    })
  const set = (challenge: ChallengeAnswer, isThere: boolean) =>
    challenge.type === 'dns-01'
      ? change(`dns/${challenge.domain}`, challenge.text, isThere)
      : change(`http/${challenge.token}`, challenge.body, isThere)

  return {
    async texts(name) {
      const domain = name.toLowerCase().slice(CHALLENGE_LABEL.length + 1)
      if (!name.toLowerCase().startsWith(`${CHALLENGE_LABEL}.`) || !isHostname(domain)) return []
      return (await read(`dns/${domain}`)).map(({ value }) => value)
    },
    async httpAnswer(path) {
      // Strangers send any path; only what may be a token reaches the store.
      const [, token] = PATH.exec(path) ?? []
      return token === undefined ? undefined : (await read(`http/${token}`))[0]?.value
    },
    put: (challenge) => set(challenge, true),
    remove: (challenge) => set(challenge, false),
  }
}
