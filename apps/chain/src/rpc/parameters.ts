import type { Chain } from '../chain.ts'

/** Parameters of JSON-RPC methods, as CometBFT 0.38 reads them: integers may be strings, hashes are base64 or hex. */
export type Params = Record<string, unknown>

/** JSON-RPC error: -32602 invalid parameters, -32603 internal error. */
export class RpcError extends Error {
  readonly code: number
  readonly data: string

  constructor(code: number, data: string) {
    super(code === -32602 ? 'Invalid params' : code === -32601 ? 'Method not found' : 'Internal error')
    this.code = code
    this.data = data
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Bytes of a transaction: POST uses base64, URLs use hex with 0x. */
export function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw new RpcError(-32602, 'tx is no text')
  if (/^0x([0-9a-fA-F]{2})*$/.test(value)) return new Uint8Array(Buffer.from(value.slice(2), 'hex'))
  return new Uint8Array(Buffer.from(value, 'base64'))
}

/** Hex, upper case. POST uses base64, URLs use hex with 0x. */
export function hashOf(value: unknown): string {
  const text = textOf(value)
  return /^(0x)?[0-9a-fA-F]{64}$/.test(text)
    ? text.replace(/^0x/, '').toUpperCase()
    : Buffer.from(text, 'base64').toString('hex').toUpperCase()
}

/** A signed integer; undefined if it is absent. */
export function integerOf(name: string, value: unknown): number | undefined {
  if (isAbsent(value)) return undefined
  const number = typeof value === 'string' && !/^-?\d+$/.test(value) ? Number.NaN : Number(value)
  if (!Number.isSafeInteger(number)) throw new RpcError(-32602, `${name} is no integer`)
  return number
}

/** A height that exists, by default the latest. */
export function heightOf(chain: Chain, value: unknown, latest = chain.height): number {
  const height = integerOf('height', value) ?? latest
  if (height < 1) throw new RpcError(-32603, `height must be greater than 0, but got ${height}`)
  if (height > latest)
    throw new RpcError(-32603, `height ${height} must be less than or equal to the current blockchain height ${latest}`)
  return height
}

const PER_PAGE = 30
const PER_PAGE_MAX = 100

/** Position and number of the entries of a page; pages count from 1. */
export function pageOf(total: number, params: Params): { skip: number; size: number } {
  const wanted = integerOf('per_page', params.per_page) ?? PER_PAGE
  const size = wanted < 1 ? PER_PAGE : Math.min(wanted, PER_PAGE_MAX)
  const pages = Math.max(1, Math.ceil(total / size))
  const page = integerOf('page', params.page) ?? 1
  if (page < 1 || page > pages) throw new RpcError(-32603, `page should be within [1, ${pages}] range, given ${page}`)
  return { skip: (page - 1) * size, size }
}

export function isDescending({ order_by }: Params, fallback: boolean): boolean {
  if (isAbsent(order_by)) return fallback
  if (order_by !== 'asc' && order_by !== 'desc')
    throw new RpcError(-32603, 'expected order_by to be either `asc` or `desc` or empty')
  return order_by === 'desc'
}
