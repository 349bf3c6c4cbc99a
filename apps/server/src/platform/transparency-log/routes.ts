import type { Context } from '../context.ts'
import type { ServerServing } from '../http/serving.ts'
import { currentCheckpoint, readTile } from './read.ts'
import { TILE_HASHES } from './tree.ts'

/** Requests per client network and minute: a monitor that reads a log of ten million receipts needs 40,000 tiles, once. */
const REQUESTS_PER_MINUTE = 1200

/** C2SP tlog-tiles: groups of three digits, all but the last with an `x`; a partial tile names its width. */
const TILE = /^(\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d?|1\d\d|2[0-4]\d|25[0-5]))?$/
/** The largest number of a tile has fewer digits. */
const GROUPS_MAX = 5

export interface TileAddress {
  level: number
  number: number
  width: number
}

/** @param path after `/log/tile/` */
export function readTilePath(path: string): TileAddress | undefined {
  const [, level, groups, width] = TILE.exec(path) ?? []
  if (level === undefined || groups === undefined) return undefined
  const digits = groups.split('/').map((group) => group.replace('x', ''))
  // One address per tile: no leading zeros beyond the first group.
  if (digits.length > GROUPS_MAX || (digits.length > 1 && digits[0] === '000')) return undefined
  return { level: Number(level), number: Number(digits.join('')), width: width ? Number(width) : TILE_HASHES }
}

/** Serves the log to monitors. What a hash covers is not public, so that a tile reveals nothing but the number of receipts. */
export function serveLog({ app }: Pick<ServerServing, 'app'>, context: Context): void {
  const config = { rateLimit: { max: REQUESTS_PER_MINUTE, timeWindow: 60_000 }, cors: { origin: '*' } }
  app.get('/log/checkpoint', { config }, async (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=1')
      .type('text/plain; charset=utf-8')
      .send(await currentCheckpoint(context)),
  )
  app.get<{ Params: { '*': string } }>('/log/tile/*', { config }, async (request, reply) => {
    const address = readTilePath(request.params['*'])
    const hashes = address && (await readTile(context, address))
    // Not cached: it may exist soon.
    if (!hashes) return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('not found\n')
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('application/octet-stream')
      .send(hashes)
  })
}
