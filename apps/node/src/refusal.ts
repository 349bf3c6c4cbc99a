import { isContentError } from '@tidenet/content'
import { errors, type Lang } from '@tidenet/contract'
import { contentTexts, shared, type Text, texts } from './texts.ts'

/** An error response with an HTTP status. The message of the Error is for logs and the server. */
export class Refusal extends Error {
  readonly status: number
  /** Number in the error catalogue; 1001 for invalid requests. */
  readonly err: number
  readonly headers: Record<string, string>
  readonly text: Text

  constructor(
    status: number,
    text: Text,
    more: { err?: number; headers?: Record<string, string>; why?: string | undefined } = {},
  ) {
    super(more.why ?? text.en)
    this.name = 'Refusal'
    this.status = status
    this.err = more.err ?? 1001
    this.text = text
    this.headers = more.headers ?? {}
  }

  /** Response body. */
  body(lang: Lang): { code: number; err: number; msg: string } {
    return { code: -1, err: this.err, msg: this.text[lang] }
  }
}

export const refuseToken = (why: string) =>
  new Refusal(401, shared('tokenRejected'), { err: 10012, why, headers: { 'www-authenticate': 'Bearer' } })

/** The token is valid but for something else. */
export const refuseForeign = (why: string) => new Refusal(403, shared('tokenRejected'), { err: 10012, why })

export const refuseFull = () => new Refusal(503, shared('nodeFull'), { err: 10008, headers: { 'retry-after': '60' } })

export const refuseBusy = () => new Refusal(503, shared('nodeBusy'), { err: 10008, headers: { 'retry-after': '5' } })

/** The owner paused the node, or its month is used up. */
export const refuseAway = () => new Refusal(503, texts.away, { err: 10008, headers: { 'retry-after': '600' } })

/** The node leaves: what it stores now would have to be moved at once. */
export const refuseLeaving = () => new Refusal(503, texts.leaving, { err: 10008, headers: { 'retry-after': '600' } })

/** The operators of the network blocked the content. */
export const refuseBlocked = () => new Refusal(451, shared('contentBlocked'), { err: errors.contentBlocked.err })

/** Limits one sender at this node; another node may accept. */
export const refuseTooMany = () =>
  new Refusal(429, texts.tooManyUploads, { err: 10008, headers: { 'retry-after': '60' } })

/** The content was read too often with one opening: further reads would not count. */
export const refuseRepeated = () => new Refusal(429, texts.repeated, { err: 10008 })

export const refuseTooLarge = (max: number) => new Refusal(413, shared('uploadTooLarge', { max }), { err: 10004 })

/** Maps disk-full and content errors to a status; returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  if (isContentError(error) && error.code === 'not-found')
    return new Refusal(404, contentTexts[error.code], { err: 10028, why: error.message })
  if (isContentError(error)) return new Refusal(400, contentTexts[error.code], { why: error.message })
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? refuseFull() : error
}
