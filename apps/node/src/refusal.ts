import { isContentError } from '@tidenet/content'
import type { Lang } from '@tidenet/contract'
import { contentTexts, shared, type Text, texts } from './texts.ts'

/** An answer other than success, with its real HTTP status. The message of the error is for logs and for the server. */
export class Refusal extends Error {
  readonly status: number
  /** Number of the error catalogue; 1001 for a request that is not right. */
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

  /** The body of the answer. */
  body(lang: Lang): { code: number; err: number; msg: string } {
    return { code: -1, err: this.err, msg: this.text[lang] }
  }
}

export const refuseToken = (why: string) =>
  new Refusal(401, shared('tokenRejected'), { err: 10012, why, headers: { 'www-authenticate': 'Bearer' } })

/** The token is genuine and says something else. */
export const refuseForeign = (why: string) => new Refusal(403, shared('tokenRejected'), { err: 10012, why })

export const refuseFull = () => new Refusal(503, shared('nodeFull'), { err: 10008, headers: { 'retry-after': '60' } })

export const refuseBusy = () => new Refusal(503, shared('nodeBusy'), { err: 10008, headers: { 'retry-after': '5' } })

/** Others are not busy because this one has much of the sender's: the sender is to try elsewhere. */
export const refuseTooMany = () =>
  new Refusal(429, texts.tooManyUploads, { err: 10008, headers: { 'retry-after': '60' } })

export const refuseTooLarge = (max: number) => new Refusal(413, shared('uploadTooLarge', { max }), { err: 10004 })

/** Gives the disk's "no space" and content that is not right a status; anything else stays what it is. */
export function asRefusal(error: unknown): unknown {
  if (isContentError(error) && error.code === 'not-found')
    return new Refusal(404, contentTexts[error.code], { err: 10028, why: error.message })
  if (isContentError(error)) return new Refusal(400, contentTexts[error.code], { why: error.message })
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? refuseFull() : error
}
