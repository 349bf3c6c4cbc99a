import { isContentError } from '@tidenet/content'
import { type ErrorKey, errorText, type Facts, type Lang } from '@tidenet/contract'

/** An answer other than success, with its real HTTP status. */
export class Refusal extends Error {
  readonly status: number
  /** Number of the error catalogue; 1001 for a request that is not right. */
  readonly err: number
  readonly headers: Record<string, string>
  /** Entry of the catalogue, for texts in two languages. */
  readonly key: ErrorKey | undefined
  readonly facts: Facts

  constructor(
    status: number,
    message: string,
    more: { err?: number; key?: ErrorKey; facts?: Facts; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.err = more.err ?? 1001
    this.key = more.key
    this.facts = more.facts ?? {}
    this.headers = more.headers ?? {}
  }

  /** The body of the answer. */
  body(lang: Lang): { code: number; err: number; msg: string } {
    return { code: -1, err: this.err, msg: this.key ? errorText(this.key, lang, this.facts) : this.message }
  }
}

export const refuseToken = (why: string) =>
  new Refusal(401, why, { err: 10012, key: 'tokenRejected', headers: { 'www-authenticate': 'Bearer' } })

/** The token is genuine and says something else. */
export const refuseForeign = (why: string) => new Refusal(403, why, { err: 10012, key: 'tokenRejected' })

export const refuseFull = () =>
  new Refusal(503, 'This node has no room for the upload.', {
    err: 10008,
    key: 'nodeFull',
    headers: { 'retry-after': '60' },
  })

export const refuseBusy = () =>
  new Refusal(503, 'This node is busy. Please try again in a moment.', {
    err: 10008,
    key: 'nodeBusy',
    headers: { 'retry-after': '5' },
  })

export const refuseTooLarge = (max: number) =>
  new Refusal(413, `The upload is larger than the ${max} bytes allowed.`, {
    err: 10004,
    key: 'uploadTooLarge',
    facts: { max },
  })

/** Gives the disk's "no space" and content that is not right a status; anything else stays what it is. */
export function asRefusal(error: unknown): unknown {
  if (isContentError(error) && error.code === 'not-found')
    return new Refusal(404, error.message, { err: 10028, key: 'assetUnknown' })
  if (isContentError(error)) return new Refusal(400, `The content is not right: ${error.message}.`)
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? refuseFull() : error
}
