import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryCodeInfoRequest,
  QueryCodeInfoResponse,
  QueryCodeRequest,
  QueryCodeResponse,
  QueryCodesRequest,
  QueryCodesResponse,
  QueryContractHistoryRequest,
  QueryContractHistoryResponse,
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryContractsByCodeRequest,
  QueryContractsByCodeResponse,
  QueryContractsByCreatorRequest,
  QueryContractsByCreatorResponse,
  QueryParamsRequest,
  QueryParamsResponse,
  QueryPinnedCodesRequest,
  QueryPinnedCodesResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { AccessType, ContractCodeHistoryOperationType } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import type { Chain } from '../../chain.ts'
import { codes } from '../../genesis.ts'
import { readAddress } from '../../state/addresses.ts'
import { findInstance, type Instance, instancesOf, RULES, storageOf, toJson } from '../../state/contracts.ts'
import { Refusal } from '../../state/refusal.ts'
import { paginate, paginateList, type Queries, query, unknown } from './query.ts'

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

function requireInstance(chain: Chain, text: string): Instance {
  const found = chain.read((store) => findInstance(store, readAddress(chain.genesis, text)))
  if (!found) throw unknown(`no such contract: address ${text}`)
  return found
}

/** Codes come with the program: nobody can store codes or create contracts. */
const NOBODY = { permission: AccessType.ACCESS_TYPE_NOBODY, addresses: [] }

/**
 * The codes of wasm. The former ones (1 and 2) were TypeScript: they have no bytes and no checksum, so they are listed as little as a code
 * that a chain never had. Only the history of contracts names them.
 */
const codeInfos = ({ genesis }: Chain) =>
  [...codes].flatMap(([id, { wasm }]) =>
    wasm
      ? { codeId: BigInt(id), creator: genesis.operator, dataHash: wasm.checksum, instantiatePermission: NOBODY }
      : [],
  )

function requireCode(chain: Chain, id: bigint) {
  const info = codeInfos(chain).find(({ codeId }) => codeId === id)
  const wasm = codes.get(Number(id))?.wasm
  if (!info || !wasm) throw unknown(`no such code: code id ${id}`)
  return { info, bytes: wasm.bytes }
}

const addressesWhere = (chain: Chain, isListed: (instance: Instance) => boolean): string[] =>
  chain
    .read(instancesOf)
    .filter(isListed)
    .map(({ address }) => address)

function historyOf(chain: Chain, instance: Instance) {
  const { INIT, MIGRATE } = {
    INIT: ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_INIT,
    MIGRATE: ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_MIGRATE,
  }
  return chain.codesOf(instance.address).map(({ code, height, message }, at) => ({
    operation: at === 0 ? INIT : MIGRATE,
    codeId: BigInt(code),
    updated: { blockHeight: BigInt(height), txIndex: 0n },
    msg: toJson(message),
  }))
}

export const wasmQueries: Queries = {
  '/cosmwasm.wasm.v1.Query/SmartContractState': query(
    QuerySmartContractStateRequest,
    QuerySmartContractStateResponse,
    (chain, { address, queryData }) => ({ data: askContract(chain, address, queryData) }),
  ),

  '/cosmwasm.wasm.v1.Query/RawContractState': query(
    QueryRawContractStateRequest,
    QueryRawContractStateResponse,
    (chain, { address, queryData }) => {
      const key = Buffer.from(queryData).toString('latin1')
      const { address: known } = requireInstance(chain, address)
      return { data: bytesOf(chain.read((store) => storageOf(store, known).get(key)) ?? '') }
    },
  ),

  '/cosmwasm.wasm.v1.Query/AllContractState': query(
    QueryAllContractStateRequest,
    QueryAllContractStateResponse,
    (chain, request) => {
      const { address } = requireInstance(chain, request.address)
      return chain.read((store) => {
        const storage = storageOf(store, address)
        const { list, pagination } = paginate(function* (key, descending) {
          // The end of a range is exclusive.
          const range = descending
            ? storage.range(undefined, key === undefined ? undefined : `${key}\0`, true)
            : storage.range(key, undefined)
          for (const entry of range) yield [entry[0], entry] as const
        }, request.pagination)
        return { models: list.map(([key, value]) => ({ key: bytesOf(key), value: bytesOf(value) })), pagination }
      })
    },
  ),

  '/cosmwasm.wasm.v1.Query/ContractInfo': query(
    QueryContractInfoRequest,
    QueryContractInfoResponse,
    (chain, request) => {
      const { address, code, creator, admin, label, height } = requireInstance(chain, request.address)
      const created = { blockHeight: BigInt(height), txIndex: 0n }
      return { address, contractInfo: { codeId: BigInt(code), creator, admin, label, created } }
    },
  ),

  '/cosmwasm.wasm.v1.Query/ContractHistory': query(
    QueryContractHistoryRequest,
    QueryContractHistoryResponse,
    (chain, { address, pagination }) => {
      const page = paginateList(historyOf(chain, requireInstance(chain, address)), pagination)
      return { entries: page.list, pagination: page.pagination }
    },
  ),

  '/cosmwasm.wasm.v1.Query/ContractsByCode': query(
    QueryContractsByCodeRequest,
    QueryContractsByCodeResponse,
    (chain, { codeId, pagination }) => {
      const page = paginateList(
        addressesWhere(chain, ({ code }) => BigInt(code) === codeId),
        pagination,
      )
      return { contracts: page.list, pagination: page.pagination }
    },
  ),

  '/cosmwasm.wasm.v1.Query/ContractsByCreator': query(
    QueryContractsByCreatorRequest,
    QueryContractsByCreatorResponse,
    (chain, { creatorAddress, pagination }) => {
      const wanted = readAddress(chain.genesis, creatorAddress)
      const page = paginateList(
        addressesWhere(chain, ({ creator }) => creator === wanted),
        pagination,
      )
      return { contractAddresses: page.list, pagination: page.pagination }
    },
  ),

  '/cosmwasm.wasm.v1.Query/Codes': query(QueryCodesRequest, QueryCodesResponse, (chain, { pagination }) => {
    const page = paginateList(codeInfos(chain), pagination)
    return { codeInfos: page.list, pagination: page.pagination }
  }),

  '/cosmwasm.wasm.v1.Query/Code': query(QueryCodeRequest, QueryCodeResponse, (chain, { codeId }) => {
    const { info, bytes } = requireCode(chain, codeId)
    return { codeInfo: info, data: bytes }
  }),

  '/cosmwasm.wasm.v1.Query/CodeInfo': query(QueryCodeInfoRequest, QueryCodeInfoResponse, (chain, { codeId }) => {
    const { dataHash, ...info } = requireCode(chain, codeId).info
    return { ...info, checksum: dataHash }
  }),

  '/cosmwasm.wasm.v1.Query/PinnedCodes': query(
    QueryPinnedCodesRequest,
    QueryPinnedCodesResponse,
    (_, { pagination }) => ({
      codeIds: [],
      pagination: paginateList([], pagination).pagination,
    }),
  ),

  '/cosmwasm.wasm.v1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, () => ({
    params: { codeUploadAccess: NOBODY, instantiateDefaultPermission: NOBODY.permission },
  })),
}

/** One byte per character, see `ContractStorage`. */
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
