import { AppError } from '@tidenet/contract'
import { isOutsideTarget } from '@tidenet/daemon'
import { readUrl } from '../../platform/read-url.ts'
import { seal, unseal } from '../../platform/seal.ts'
import type { Context } from '../context.ts'

/** What a worker needs to fetch; absent fields are those of other kinds. */
export interface Source {
  /** Address, CID or endpoint. */
  source: string
  region?: string
  bucket?: string
  prefix?: string
  accessKeyId?: string
  secretAccessKey?: string
}

type Deps = Pick<Context, 'keys' | 'config'>

/**
 * An address that a gateway may connect to, as far as the address tells; what its name leads to is checked for every connection.
 * @throws AppError importUrl
 */
export function readOutsideUrl({ config }: Pick<Context, 'config'>, text: string): URL {
  const url = readUrl(text.trim())
  if (!url || !isOutsideTarget(url, { privateToo: config.imports.privateToo, httpToo: true }))
    throw new AppError('importUrl')
  url.hash = ''
  return url
}

/** An address as lists and logs show it: a query can be a secret. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`

const ownerOf = (id: number) => `import ${id}`

export const sealSource = ({ keys }: Deps, id: number, source: Source): Buffer =>
  seal(keys.importSource, Buffer.from(JSON.stringify(source)), ownerOf(id))

/** @returns undefined if it was forgotten */
export function unsealSource(
  { keys }: Deps,
  { id, sealed }: { id: number; sealed: Buffer | null },
): Source | undefined {
  const text = sealed && unseal(keys.importSource, sealed, ownerOf(id))
  return text ? (JSON.parse(text.toString()) as Source) : undefined
}
