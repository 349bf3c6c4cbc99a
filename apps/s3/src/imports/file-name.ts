import { assetName } from '@tidenet/contract/fields'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what names must not contain
const FORBIDDEN = /[\\/\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu
const NAME_MAX = 200

/** A name that files can have, made of one that a stranger sent; undefined: nothing is left of it. */
function usable(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const shown = [...text.replace(FORBIDDEN, '_')].slice(0, NAME_MAX).join('').trim()
  return assetName.safeParse(shown).data
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `filename*` is preferred to `filename`, as RFC 6266 says. */
function ofDisposition(header = ''): string | undefined {
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(header)?.[1]
  if (extended !== undefined) return decoded(extended.trim())
  const [, quoted, plain] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? plain
}

/** What a downloaded file is called: as the owner said, the source says, or its address ends. */
export const fileName = (wanted: string, url: URL, disposition: string | undefined): string =>
  wanted ||
  usable(ofDisposition(disposition)) ||
  usable(decoded(url.pathname.split('/').filter(Boolean).at(-1) ?? '')) ||
  usable(url.hostname) ||
  'import'
