import { type CodeName, codes, codeText, type Lang, type Phrase, phrase } from './codes.ts'

/** What every call resolves to. `code` 0 is success and `data` what was asked for. */
export interface Success<T> {
  code: 0
  msg: string
  data: T
}

/** A refusal: `code` of this SDK, the envelope or HTTP; `data.err` is the server's number where it gave one. */
export interface Failure {
  code: number
  msg: string
  data: FailureData
}

export interface FailureData {
  /** The server's number of the refusal. */
  err?: number
  /** The transfer that failed, to be told to support. */
  trace_id?: string
  /** True when the caller stopped the transfer. */
  abort?: boolean
  [field: string]: unknown
}

export type Result<T> = Success<T> | Failure

/** Tells success from failure to the compiler as well. */
export function isSuccess<T>(result: Result<T>): result is Success<T> {
  return result.code === 0
}

export function success<T>(data: T, lang: Lang = 'en'): Success<T> {
  return { code: 0, msg: codeText(0, lang), data }
}

/** Says no in the caller's language: with the sentence of the code, or a phrase, or a text that came from the server. */
export type Say = (code: CodeName, options?: SayOptions) => Failure

export interface SayOptions {
  phrase?: Phrase
  fill?: readonly (string | number)[]
  /** A text that is ready to be shown. */
  msg?: string
  data?: FailureData
}

/** @param lang asked each time: the language may change while the instance lives */
export function createSay(lang: () => Lang): Say {
  return (code, { phrase: name, fill = [], msg, data = {} } = {}) => ({
    code: codes[code],
    msg: msg || (name ? phrase(name, lang(), ...fill) : codeText(codes[code], lang())),
    data,
  })
}

/** Carries a failure out of nested work; `settle` turns it back into a result. Never leaves the SDK. */
export class Stop extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.msg)
    this.name = 'Stop'
    this.failure = failure
  }
}

/** The data of a success; a failure ends the work around it. */
export function need<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  throw new Stop(result)
}
