import { type CodeName, codes, codeText, type Lang, type Phrase, phrase } from './codes.ts'

/** A successful result. `code` is 0. */
export interface Success<T> {
  code: 0
  msg: string
  data: T
}

/** A failure: `code` is that of this SDK, the envelope or HTTP; `data.err` is the server's error number, if any. */
export interface Failure {
  code: number
  msg: string
  data: FailureData
}

export interface FailureData {
  /** The server's error number. */
  err?: number
  /** Trace id of the failed transfer, for support. */
  trace_id?: string
  /** True if the caller cancelled the transfer. */
  abort?: boolean
  [field: string]: unknown
}

export type Result<T> = Success<T> | Failure

/** Type guard for success. */
export function isSuccess<T>(result: Result<T>): result is Success<T> {
  return result.code === 0
}

export function success<T>(data: T, lang: Lang = 'en'): Success<T> {
  return { code: 0, msg: codeText(0, lang), data }
}

/** Creates a failure in the caller's language: the message of the code, a phrase, or a text of the server. */
export type ToFailure = (code: CodeName, options?: FailureOptions) => Failure

export interface FailureOptions {
  phrase?: Phrase
  fill?: readonly (string | number)[]
  /** A complete message. */
  msg?: string
  data?: FailureData
}

/** @param lang called each time, because the language may change */
export function createToFailure(lang: () => Lang): ToFailure {
  return (code, { phrase: name, fill = [], msg, data = {} } = {}) => ({
    code: codes[code],
    msg: msg || (name ? phrase(name, lang(), ...fill) : codeText(codes[code], lang())),
    data,
  })
}

/** Carries a failure out of nested calls; `settle` converts it to a result. Never leaves the SDK. */
export class Stop extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.msg)
    this.name = 'Stop'
    this.failure = failure
  }
}

/** Returns the data of a success; throws Stop for a failure. */
export function need<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  throw new Stop(result)
}
