import type { Chain } from '../chain.ts'
import { absentQueries } from './grpc/absent.ts'
import { authQueries } from './grpc/auth.ts'
import { bankQueries } from './grpc/bank.ts'
import { nodeQueries } from './grpc/node.ts'
import { type Queries, unknown } from './grpc/query.ts'
import { txQueries } from './grpc/tx.ts'
import { wasmQueries } from './grpc/wasm.ts'

/** gRPC methods by path, as clients ask them over `abci_query` and over REST. */
export const queries: Queries = {
  ...authQueries,
  ...bankQueries,
  ...wasmQueries,
  ...txQueries,
  ...nodeQueries,
  ...absentQueries,
}

/** Answers a query by path. Refuses unknown paths and undecodable requests. */
export function answerQuery(chain: Chain, path: string, request: Uint8Array): Uint8Array {
  const known = Object.hasOwn(queries, path) ? queries[path] : undefined
  if (!known) throw unknown(`unknown query path: ${path.slice(0, 100)}`)
  return known.answer(chain, request)
}
