import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryContractsByCodeRequest,
  QueryContractsByCodeResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Chain } from '../chain.ts'
import { readAddress } from '../state/addresses.ts'
import { balanceOf, findAccount } from '../state/bank.ts'
import { findInstance, RULES, storageOf } from '../state/contracts.ts'
import { Refusal } from '../state/refusal.ts'
import { publicKeyOf } from '../state/transactions.ts'

/** A state query: a gRPC method with protobuf request and response. */
type Query = (chain: Chain, request: Uint8Array) => Uint8Array

/** gRPC not found; clients match this text. */
const notFound = (what: string) => new Refusal('sdk', 22, `rpc error: code = NotFound desc = ${what}: key not found`)
const unknown = (what: string) => new Refusal('sdk', 6, `${what}: unknown request`)

const queries: Record<string, Query> = {
  '/cosmos.auth.v1beta1.Query/Account'(chain, request) {
    const { address } = QueryAccountRequest.decode(request)
    const account = chain.read((store) => findAccount(store, readAddress(chain.genesis, address)))
    if (!account) throw notFound(`account ${address} not found`)
    const key = publicKeyOf(account)
    const base = BaseAccount.encode(
      BaseAccount.fromPartial({
        address: account.address,
        accountNumber: BigInt(account.number),
        sequence: BigInt(account.sequence),
        ...(key && {
          pubKey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: PubKey.encode({ key }).finish() },
        }),
      }),
    ).finish()
    return QueryAccountResponse.encode({
      account: Any.fromPartial({ typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value: base }),
    }).finish()
  },

  '/cosmos.bank.v1beta1.Query/Balance'(chain, request) {
    const { address, denom } = QueryBalanceRequest.decode(request)
    const amount = denom === chain.genesis.denom ? balanceAt(chain, address) : '0'
    return QueryBalanceResponse.encode({ balance: { denom, amount } }).finish()
  },

  '/cosmos.bank.v1beta1.Query/AllBalances'(chain, request) {
    const amount = balanceAt(chain, QueryAllBalancesRequest.decode(request).address)
    const balances = amount === '0' ? [] : [{ denom: chain.genesis.denom, amount }]
    return QueryAllBalancesResponse.encode(QueryAllBalancesResponse.fromPartial({ balances })).finish()
  },

  '/cosmos.base.node.v1beta1.Service/Config'({ genesis }) {
    return ConfigResponse.encode(ConfigResponse.fromPartial({ minimumGasPrice: gasPriceOf(genesis) })).finish()
  },

  '/cosmos.tx.v1beta1.Service/Simulate'(chain, request) {
    const { tx, txBytes } = SimulateRequest.decode(request)
    const bytes = txBytes.length > 0 ? txBytes : rawOf(tx)
    const { code, codespace, log, gasUsed, gasWanted, events } = chain.simulate(bytes)
    if (code !== 0) throw new Refusal(codespace, code, log)
    return SimulateResponse.encode(
      SimulateResponse.fromPartial({ gasInfo: { gasUsed, gasWanted }, result: { events, log } }),
    ).finish()
  },

  '/cosmwasm.wasm.v1.Query/SmartContractState'(chain, request) {
    const { address, queryData } = QuerySmartContractStateRequest.decode(request)
    return QuerySmartContractStateResponse.encode({ data: askContract(chain, address, queryData) }).finish()
  },

  '/cosmwasm.wasm.v1.Query/RawContractState'(chain, request) {
    const { address, queryData } = QueryRawContractStateRequest.decode(request)
    const key = Buffer.from(queryData).toString('latin1')
    const data = chain.read((store) => storageOf(store, address).get(key))
    return QueryRawContractStateResponse.encode({ data: Buffer.from(data ?? '', 'latin1') }).finish()
  },

  '/cosmwasm.wasm.v1.Query/ContractInfo'(chain, request) {
    const { address } = QueryContractInfoRequest.decode(request)
    const found = chain.read((store) => findInstance(store, address))
    if (!found) throw unknown(`no such contract: ${address}`)
    const { code, creator, admin, label } = found
    return QueryContractInfoResponse.encode(
      QueryContractInfoResponse.fromPartial({ address, contractInfo: { codeId: BigInt(code), creator, admin, label } }),
    ).finish()
  },

  '/cosmwasm.wasm.v1.Query/ContractsByCode'(chain, request) {
    const { codeId } = QueryContractsByCodeRequest.decode(request)
    const contracts = chain.read((store) =>
      store
        .entries('contract/')
        .map(([, text]) => JSON.parse(text) as { address: string; code: number })
        .filter(({ code }) => BigInt(code) === codeId)
        .map(({ address }) => address),
    )
    return QueryContractsByCodeResponse.encode(QueryContractsByCodeResponse.fromPartial({ contracts })).finish()
  },
}

/** The minimum gas price in the format of nodes. */
export const gasPriceOf = ({ minGasPrice, denom }: Chain['genesis']): string => `${minGasPrice}${denom}`

/** Answers a query by path. Refuses unknown paths and undecodable requests. */
export function answerQuery(chain: Chain, path: string, request: Uint8Array): Uint8Array {
  const query = queries[path]
  if (!query) throw unknown(`unknown query path: ${path.slice(0, 100)}`)
  return query(chain, request)
}

export function balanceAt(chain: Chain, address: string): string {
  return String(chain.read((store) => balanceOf(store, readAddress(chain.genesis, address))))
}

/** Queries a contract; question and answer are JSON. */
export function askContract(chain: Chain, address: string, question: Uint8Array): Uint8Array {
  const blockContext = { height: chain.height, time: chain.time, rules: RULES }
  try {
    return chain.read((store) =>
      chain.contracts.query(store, blockContext, readAddress(chain.genesis, address), question),
    )
  } catch (error) {
    // The SDK replaces the codespace of contract errors.
    if (error instanceof Refusal && error.codespace === 'wasm') throw unknown(error.message)
    throw error
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
