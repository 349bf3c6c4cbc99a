import { codes, codeText, type Lang } from './codes.ts'
import { type Failure, type Result, success } from './result.ts'
import { createStorage, type Storage, type StorageOptions, unknownStorageOption } from './storage.ts'

let instance: Storage | undefined

const no = (code: number, lang: Lang = 'en'): Failure => ({ code, msg: codeText(code, lang), data: {} })

/**
 * Makes the one instance of a program, as `Storage.initialize`. Anonymous use says so with the token `token`.
 * Codes: 1002 no token, 1003 a token that is no text, 1001 an address that is none.
 */
export function initialize(options: StorageOptions): Result<Storage> {
  if (typeof options !== 'object' || options === null) return no(codes.optionsInvalid)
  const { token, url, lang } = options
  const unknown = unknownStorageOption(options)
  if (unknown !== undefined) return { ...no(codes.optionsInvalid, lang), msg: unknown }
  if (token === undefined || token === null || token === '') return no(codes.tokenEmpty, lang)
  if (typeof token !== 'string' || token.trim() === '' || /[\r\n]/.test(token)) return no(codes.tokenInvalid, lang)
  if (url !== undefined && !isAddress(url)) return no(codes.initFailed, lang)
  instance = createStorage(options)
  return success(instance, lang)
}

/** The instance made by `initialize`; code 1001 before that. */
export function getInstance(): Result<Storage> {
  return instance ? success(instance, instance.api.lang) : no(codes.initFailed)
}

function isAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
