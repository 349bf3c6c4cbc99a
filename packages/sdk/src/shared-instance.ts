import { codes, codeText, type Lang } from './codes.ts'
import { type Failure, type Result, success } from './result.ts'
import { createStorage, type Storage, type StorageOptions, unknownStorageOption } from './storage.ts'

let instance: Storage | undefined

const failure = (code: number, lang: Lang = 'en'): Failure => ({ code, msg: codeText(code, lang), data: {} })

/**
 * Creates the shared instance of a program, exported as `Storage.initialize`. For anonymous use pass the token `token`.
 * Codes: 1002 no token, 1003 token is not a string, 1001 invalid address.
 */
export function initialize(options: StorageOptions): Result<Storage> {
  if (typeof options !== 'object' || options === null) return failure(codes.optionsInvalid)
  const { token, url, lang } = options
  const unknown = unknownStorageOption(options)
  if (unknown !== undefined) return { ...failure(codes.optionsInvalid, lang), msg: unknown }
  if (token === undefined || token === null || token === '') return failure(codes.tokenEmpty, lang)
  if (typeof token !== 'string' || token.trim() === '' || /[\r\n]/.test(token)) return failure(codes.tokenInvalid, lang)
  if (url !== undefined && !isAddress(url)) return failure(codes.initFailed, lang)
  instance = createStorage(options)
  return success(instance, lang)
}

/** The instance created by `initialize`; code 1001 before that. */
export function getInstance(): Result<Storage> {
  return instance ? success(instance, instance.api.lang) : failure(codes.initFailed)
}

function isAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
