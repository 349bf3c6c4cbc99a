/**
 * MCP since its revision 2026-07-28: no handshake and no session. Every request says in `_meta` which version it is of and what its client can
 * do, and is answered by itself. Older clients begin with `initialize`; servers tell the two apart by `_meta`.
 */

export const STATELESS_VERSION = '2026-07-28'

const NAMESPACE = 'io.modelcontextprotocol'
/** How long clients may keep what does not depend on the caller, ms. */
const TTL_MS = 300_000

/** Codes of errors that the protocol defines. */
export const MCP_ERRORS = { headers: -32020, version: -32022 } as const

export interface Stateless {
  version: string
  /** Whether it says what its client can do, as every request must. */
  isWhole: boolean
}

/** What a message says about itself; undefined: it is of an older version. */
export function readStateless(params: unknown): Stateless | undefined {
  const meta = fieldsOf(fieldsOf(params)?._meta)
  const version = meta?.[`${NAMESPACE}/protocolVersion`]
  if (typeof version !== 'string') return undefined
  return { version, isWhole: fieldsOf(meta?.[`${NAMESPACE}/clientCapabilities`]) !== undefined }
}

export const fieldsOf = (given: unknown): Record<string, unknown> | undefined =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : undefined

export const completeResult = (result: object, server: object): object => ({
  ...result,
  resultType: 'complete',
  _meta: { [`${NAMESPACE}/serverInfo`]: server },
})

/** A complete result that clients may keep for themselves. */
export const keptResult = (result: object, server: object): object => ({
  ...completeResult(result, server),
  ttlMs: TTL_MS,
  cacheScope: 'private',
})
