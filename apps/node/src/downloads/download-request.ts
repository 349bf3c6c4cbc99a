import { type Cid, parseCid } from '@tidenet/content'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { shared, texts } from '../texts.ts'

/** Parameters of a download request. */
export interface DownloadRequest {
  /** CID in the path: the content, or with `raw` one of its blocks. */
  cid: Cid
  /** Path segments below the root; empty for the root. */
  path: string[]
  format: Format | undefined
  scope: 'block' | 'entity' | 'all'
  /** `from:to`, unparsed. */
  entityBytes: string | undefined
  /** For archives: depth first, repeated blocks included. */
  order: 'dfs' | 'unk' | undefined
  duplicates: boolean | undefined
  filename: string | undefined
  attachment: boolean
  page: number
  count: number
}

/** `inner` is our extension: the dag-pb nodes of a file as an archive, to verify its leaves. */
export type Format = (typeof FORMATS)[number]
const FORMATS = ['raw', 'car', 'tar', 'inner'] as const
const COUNT_MAX = 10_000

/** Parses gateway parameters; `format` in the query overrides Accept. Throws 400 for invalid ones. */
export function parseDownloadRequest(request: FastifyRequest): DownloadRequest {
  const query = request.query as Record<string, unknown>
  const text = (name: string): string | undefined => {
    const value = query[name]
    const one = Array.isArray(value) ? value[0] : value
    return typeof one === 'string' && one !== '' ? one : undefined
  }
  const accept = readAccept(request.headers.accept ?? '')
  const scope = text('dag-scope') ?? 'all'
  if (scope !== 'block' && scope !== 'entity' && scope !== 'all') throw new Refusal(400, texts.scope)
  const order = text('car-order') ?? accept.order
  const duplicates = text('car-dups') ?? accept.dups
  return {
    ...readPath(request.params as { cid: string; '*'?: string }),
    format: readFormat(text('format')) ?? accept.format,
    scope,
    entityBytes: text('entity-bytes'),
    order: order === 'dfs' ? 'dfs' : order === undefined ? undefined : 'unk',
    duplicates: duplicates === undefined ? undefined : duplicates === 'y',
    filename: text('filename')?.slice(0, 500),
    attachment: text('download') === 'true',
    page: readCount(text('page'), 0, Number.MAX_SAFE_INTEGER),
    count: readCount(text('count'), 10, COUNT_MAX),
  }
}

function readPath(params: { cid: string; '*'?: string }): { cid: Cid; path: string[] } {
  const path = (params['*'] ?? '').split('/').filter((name) => name !== '')
  if (path.some((name) => name === '.' || name === '..')) throw new Refusal(400, texts.dotsInPath)
  try {
    return { cid: parseCid(params.cid), path }
  } catch {
    throw new Refusal(400, shared('badCid'))
  }
}

function readFormat(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined
  const format = FORMATS.find((known) => known === text)
  if (!format) throw new Refusal(400, texts.format(FORMATS))
  return format
}

/** The first media type in Accept that is a known format, with its parameters. */
function readAccept(accept: string): { format?: Format; order?: string; dups?: string } {
  for (const item of accept.split(',')) {
    const [type = '', ...params] = item.split(';').map((part) => part.trim())
    const values = Object.fromEntries(params.map((param) => param.split('=', 2)))
    if (type === 'application/vnd.ipld.raw') return { format: 'raw' }
    if (type === 'application/x-tar') return { format: 'tar' }
    if (type === 'application/vnd.ipld.car') {
      if (values.version !== undefined && values.version !== '1') throw new Refusal(406, texts.carVersion)
      return { format: 'car', order: values.order, dups: values.dups }
    }
  }
  return {}
}

function readCount(text: string | undefined, byDefault: number, most: number): number {
  if (text === undefined) return byDefault
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Refusal(400, texts.pageNumbers)
  return Math.min(value, most)
}
