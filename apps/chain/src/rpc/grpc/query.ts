import type { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { DeepPartial } from 'cosmjs-types/helpers'
import type { Chain } from '../../chain.ts'
import { Refusal } from '../../state/refusal.ts'

/** A protobuf message of cosmjs-types. */
export interface Codec<T> {
  decode(bytes: Uint8Array): T
  encode(message: T): { finish(): Uint8Array }
  fromJSON(object: unknown): T
  fromPartial(object: never): T
  toJSON(message: T): unknown
}

/** A state query: a gRPC method, over ABCI with protobuf and over REST with JSON. */
export interface Query {
  answer(chain: Chain, request: Uint8Array): Uint8Array
  /** The request and the answer as JSON of cosmjs-types. */
  answerJson(chain: Chain, request: object): unknown
}

export type Queries = Readonly<Record<string, Query>>

export function query<I, O>(
  request: Codec<I>,
  response: Codec<O>,
  work: (chain: Chain, request: I) => DeepPartial<O>,
): Query {
  const read = (decode: () => I): I => {
    try {
      return decode()
    } catch {
      throw new Refusal('sdk', 18, 'the request cannot be decoded: invalid request')
    }
  }
  const respond = (chain: Chain, asked: I): O => response.fromPartial(work(chain, asked) as never)
  return {
    answer: (chain, bytes) =>
      response
        .encode(
          respond(
            chain,
            read(() => request.decode(bytes)),
          ),
        )
        .finish(),
    answerJson: (chain, object) =>
      response.toJSON(
        respond(
          chain,
          read(() => request.fromJSON(object)),
        ),
      ),
  }
}

/** gRPC not found; clients match this text. */
export const notFound = (what: string) =>
  new Refusal('sdk', 22, `rpc error: code = NotFound desc = ${what}: key not found`)
export const unknown = (what: string) => new Refusal('sdk', 6, `${what}: unknown request`)
export const invalid = (what: string) =>
  new Refusal('sdk', 18, `rpc error: code = InvalidArgument desc = ${what}: invalid request`)

/** Entries per page, by default and at most, as of the Cosmos SDK. */
const LIMIT = 100

/** Entries from a key on, or to it if descending, inclusive. Keys have one byte per character. */
type Entries<T> = (key: string | undefined, descending: boolean) => Iterable<readonly [key: string, entry: T]>

/** One page of a list, as `Paginate` of the Cosmos SDK. */
export function paginate<T>(
  entries: Entries<T>,
  request: PageRequest | undefined,
): { list: T[]; pagination: DeepPartial<PageResponse> } {
  const { key = new Uint8Array(), offset = 0n, limit = 0n, reverse = false } = request ?? {}
  if (offset > 0n && key.length > 0) throw invalid('either offset or key is expected, got both')
  const isCounted = key.length === 0 && (limit === 0n || (request?.countTotal ?? false))
  const skip = Number(offset)
  const size = limit === 0n || limit > BigInt(LIMIT) ? LIMIT : Number(limit)
  const list: T[] = []
  let count = 0
  let nextKey: Uint8Array | undefined
  for (const [at, entry] of entries(key.length > 0 ? Buffer.from(key).toString('latin1') : undefined, reverse)) {
    count++
    if (count <= skip) continue
    if (list.length < size) list.push(entry)
    else {
      nextKey ??= new Uint8Array(Buffer.from(at, 'latin1'))
      if (!isCounted) break
    }
  }
  return { list, pagination: { nextKey: nextKey ?? new Uint8Array(), total: isCounted ? BigInt(count) : 0n } }
}

/** A list in memory, whose keys are positions. */
export const paginateList = <T>(list: readonly T[], request: PageRequest | undefined) =>
  paginate(function* (key, descending) {
    const from = key === undefined ? undefined : Number(key)
    const positions = list.keys()
    for (const at of descending ? [...positions].reverse() : positions)
      if (from === undefined || (descending ? at <= from : at >= from)) yield [String(at), list[at] as T] as const
  }, request)
