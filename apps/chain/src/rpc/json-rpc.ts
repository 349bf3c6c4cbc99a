import type { Chain } from '../chain.ts'
import { blockMethods } from './blocks.ts'
import { nodeMethods } from './node.ts'
import { type Params, RpcError } from './parameters.ts'
import { transactionMethods } from './transactions.ts'

/** The methods of CometBFT 0.38 that clients use. */
const methods: Readonly<Record<string, (chain: Chain, params: Params) => unknown>> = {
  ...nodeMethods,
  ...blockMethods,
  ...transactionMethods,
}

export const methodNames: readonly string[] = Object.keys(methods)

/** Calls a method. @throws RpcError */
export async function call(chain: Chain, method: string, params: Params): Promise<unknown> {
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!known) throw new RpcError(-32601, method.slice(0, 80))
  try {
    return await known(chain, params)
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw new RpcError(-32603, (error as Error).message)
  }
}

export interface RpcRequest {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: unknown
}

export const success = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id: id ?? null, result })
export const failure = (id: unknown, { code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message, data },
})

export async function answer(chain: Chain, request: RpcRequest | undefined) {
  const id = request?.id
  if (typeof request?.method !== 'string') return failure(id, new RpcError(-32602, 'method is missing'))
  try {
    return success(id, await call(chain, request.method, (request.params ?? {}) as Params))
  } catch (error) {
    return failure(id, error as RpcError)
  }
}
