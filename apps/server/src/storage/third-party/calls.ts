import { FetchFailed, type Guard, type GuardedAnswer, guardedFetch } from '@tidenet/daemon'
import { harmlessText } from '../traces/support.ts'
import { ThirdPartyError } from './adapter.ts'

/** Requests to providers. Operators choose the addresses, so private ones are allowed; answers are not trusted. */

const ANSWER_MAX = 1024 * 1024
const SMALL_MS = 30_000
const BUSY = [429, 502, 503, 504]
/** Also a wrong token. */
const OUTAGES = [401, 403, ...BUSY]

type Call = Pick<Guard, 'post' | 'method' | 'once' | 'signal'> & {
  headers?: Record<string, string>
  most?: number
  withinMs?: number
}

export const bearer = (token: string): Record<string, string> =>
  token === '' ? {} : { authorization: `Bearer ${token}` }

/** @throws ThirdPartyError unreachable, or the signal's reason */
export async function call(url: string, { most = ANSWER_MAX, withinMs = SMALL_MS, post, ...more }: Call) {
  let answer: GuardedAnswer
  let unsent: unknown
  async function* sending(bytes: AsyncIterable<Uint8Array>) {
    try {
      yield* bytes
    } catch (error) {
      unsent = error
      throw error
    }
  }
  const body = post && !Buffer.isBuffer(post) ? sending(post) : post
  try {
    answer = await guardedFetch(url, { ...more, ...(body && { post: body }), most, withinMs, privateToo: true })
    const parts: Buffer[] = []
    for await (const part of answer.body) parts.push(part as Buffer)
    return { status: answer.status, bytes: Buffer.concat(parts) }
  } catch (error) {
    more.signal?.throwIfAborted()
    // The body could not be read: not the provider's fault.
    if (unsent !== undefined) throw unsent
    const message = error instanceof FetchFailed ? error.message : (error as Error).message
    throw new ThirdPartyError('unreachable', `the provider cannot be reached: ${message}`)
  }
}

/** What an answer says, for operators. */
export const refusal = (status: number, bytes: Buffer): ThirdPartyError =>
  new ThirdPartyError(
    BUSY.includes(status) ? 'unreachable' : 'refused',
    `the provider answered ${status}: ${harmlessText(bytes.subarray(0, 300).toString())}`,
    OUTAGES.includes(status),
  )

/** @throws ThirdPartyError refused */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new ThirdPartyError('refused', 'the answer of the provider is not JSON')
  }
}
