import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  GetBlockWithTxsRequest,
  GetBlockWithTxsResponse,
  GetTxRequest,
  GetTxResponse,
  GetTxsEventRequest,
  GetTxsEventResponse,
  OrderBy,
  SimulateRequest,
  SimulateResponse,
} from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Chain } from '../../chain.ts'
import { Refusal } from '../../state/refusal.ts'
import type { IndexedTransaction } from '../../transaction-index.ts'
import { type Params, pageOf, RpcError } from '../parameters.ts'
import { blockOf } from './node.ts'
import { invalid, notFound, type Queries, query } from './query.ts'

/** The minimum gas price in the format of nodes. */
export const gasPriceOf = ({ minGasPrice, denom }: Chain['genesis']): string => `${minGasPrice}${denom}`

/** Undefined if a block contains bytes that are no transaction. */
function transactionOf(bytes: Uint8Array): Tx | undefined {
  try {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
    return Tx.fromPartial({ body: TxBody.decode(bodyBytes), authInfo: AuthInfo.decode(authInfoBytes), signatures })
  } catch {
    return undefined
  }
}

function responseOf(chain: Chain, { hash, height, bytes, result }: IndexedTransaction) {
  const tx = transactionOf(bytes)
  return {
    txhash: hash,
    height: BigInt(height),
    code: result.code,
    codespace: result.codespace,
    data: Buffer.from(result.data).toString('hex').toUpperCase(),
    rawLog: result.log,
    gasWanted: result.gasWanted,
    gasUsed: result.gasUsed,
    events: result.events.map(({ type, attributes }) => ({
      type,
      attributes: attributes.map(({ key, value }) => ({ key, value, index: true })),
    })),
    // In seconds, as of the SDK.
    timestamp: new Date(chain.block(height)?.time ?? 0).toISOString().replace(/\.\d+/, ''),
    ...(tx && { tx: { typeUrl: '/cosmos.tx.v1beta1.Tx', value: Tx.encode(tx).finish() } }),
  }
}

export const txQueries: Queries = {
  '/cosmos.base.node.v1beta1.Service/Config': query(ConfigRequest, ConfigResponse, ({ genesis }) => ({
    minimumGasPrice: gasPriceOf(genesis),
  })),

  '/cosmos.tx.v1beta1.Service/Simulate': query(SimulateRequest, SimulateResponse, (chain, { tx, txBytes }) => {
    const bytes = txBytes.length > 0 ? txBytes : rawOf(tx)
    const { code, codespace, log, data, gasUsed, gasWanted, events } = chain.simulate(bytes)
    if (code !== 0) throw new Refusal(codespace, code, log)
    return { gasInfo: { gasUsed, gasWanted }, result: { data, events, log } }
  }),

  '/cosmos.tx.v1beta1.Service/GetTx': query(GetTxRequest, GetTxResponse, (chain, { hash }) => {
    const found = chain.find(hash.toUpperCase())
    if (!found) throw notFound(`tx not found: ${hash.slice(0, 80)}`)
    return { tx: transactionOf(found.bytes), txResponse: responseOf(chain, found) }
  }),

  '/cosmos.tx.v1beta1.Service/GetTxsEvent': query(GetTxsEventRequest, GetTxsEventResponse, (chain, request) => {
    // Clients of earlier versions send a list of conditions, and offset and limit.
    const text = request.query || request.events.join(' AND ')
    if (text === '') throw invalid('query cannot be empty')
    const limit = request.limit || request.pagination?.limit || 100n
    const page = request.page || (request.pagination?.offset ?? 0n) / limit + 1n
    const found = search(chain, text)
    const isReversed = request.orderBy === OrderBy.ORDER_BY_DESC
    const { skip, size } = pageOrRefusal(found.length, { page: Number(page), per_page: Number(limit) })
    const list = (isReversed ? found.toReversed() : found).slice(skip, skip + size)
    return {
      txs: list.flatMap(({ bytes }) => transactionOf(bytes) ?? []),
      txResponses: list.map((tx) => responseOf(chain, tx)),
      total: BigInt(found.length),
    }
  }),

  '/cosmos.tx.v1beta1.Service/GetBlockWithTxs': query(
    GetBlockWithTxsRequest,
    GetBlockWithTxsResponse,
    (chain, { height, pagination }) => {
      const found = blockOf(chain, height)
      const total = found.txs.length
      const offset = Number(pagination?.offset ?? 0n)
      const limit = Math.min(Number(pagination?.limit || 100n), 100)
      if (total > 0 && offset >= total)
        throw invalid(`out of range: cannot paginate ${total} txs with offset ${offset} and limit ${limit}`)
      const txs = found.txs.slice(offset, offset + limit).flatMap((bytes) => transactionOf(bytes) ?? [])
      return { txs, blockId: found.blockId, block: found.block, pagination: { total: BigInt(total) } }
    },
  ),
}

function search(chain: Chain, text: string): IndexedTransaction[] {
  try {
    return chain.search(text)
  } catch (error) {
    throw invalid((error as Error).message)
  }
}

function pageOrRefusal(total: number, params: Params) {
  try {
    return pageOf(total, params)
  } catch (error) {
    throw invalid(error instanceof RpcError ? error.data : (error as Error).message)
  }
}

function rawOf(tx: SimulateRequest['tx']): Uint8Array {
  if (!tx?.body || !tx.authInfo) throw new Refusal('sdk', 18, 'empty transaction: invalid request')
  return TxRaw.encode({
    bodyBytes: TxBody.encode(tx.body).finish(),
    authInfoBytes: AuthInfo.encode(tx.authInfo).finish(),
    signatures: tx.signatures,
  }).finish()
}
