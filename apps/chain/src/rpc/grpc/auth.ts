import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  Bech32PrefixRequest,
  Bech32PrefixResponse,
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
  QueryAccountRequest,
  QueryAccountResponse,
  QueryAccountsRequest,
  QueryAccountsResponse,
  QueryModuleAccountByNameRequest,
  QueryModuleAccountByNameResponse,
  QueryModuleAccountsRequest,
  QueryModuleAccountsResponse,
  QueryParamsRequest,
  QueryParamsResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import type { Chain } from '../../chain.ts'
import { readAddress } from '../../state/addresses.ts'
import { feeCollector } from '../../state/admit.ts'
import { type Account, accountsFrom, findAccount } from '../../state/bank.ts'
import { GAS } from '../../state/gas.ts'
import { LONGEST_MEMO, publicKeyOf } from '../../state/transactions.ts'
import { notFound, paginate, type Queries, query } from './query.ts'

function baseAccount(account: Account): BaseAccount {
  const key = publicKeyOf(account)
  return BaseAccount.fromPartial({
    address: account.address,
    accountNumber: BigInt(account.number),
    sequence: BigInt(account.sequence),
    ...(key && { pubKey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: PubKey.encode({ key }).finish() } }),
  })
}

const anyAccount = (account: Account) => ({
  typeUrl: '/cosmos.auth.v1beta1.BaseAccount',
  value: BaseAccount.encode(baseAccount(account)).finish(),
})

function requireAccount(chain: Chain, address: string): Account {
  const account = chain.read((store) => findAccount(store, readAddress(chain.genesis, address)))
  if (!account) throw notFound(`account ${address} not found`)
  return account
}

/** The fees are the only coins that belong to no account; the module account of the Cosmos SDK names them. */
const moduleAccounts = (chain: Chain) => [
  {
    typeUrl: '/cosmos.auth.v1beta1.ModuleAccount',
    value: ModuleAccount.encode(
      ModuleAccount.fromPartial({ baseAccount: { address: feeCollector(chain.genesis) }, name: 'fee_collector' }),
    ).finish(),
  },
]

export const authQueries: Queries = {
  '/cosmos.auth.v1beta1.Query/Account': query(QueryAccountRequest, QueryAccountResponse, (chain, { address }) => ({
    account: anyAccount(requireAccount(chain, address)),
  })),

  '/cosmos.auth.v1beta1.Query/AccountInfo': query(
    QueryAccountInfoRequest,
    QueryAccountInfoResponse,
    (chain, { address }) => ({ info: baseAccount(requireAccount(chain, address)) }),
  ),

  '/cosmos.auth.v1beta1.Query/Accounts': query(QueryAccountsRequest, QueryAccountsResponse, (chain, request) => {
    const { list, pagination } = chain.read((store) =>
      paginate((key, descending) => accountsFrom(store, key, descending), request.pagination),
    )
    return { accounts: list.map(anyAccount), pagination }
  }),

  '/cosmos.auth.v1beta1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, () => ({
    params: {
      maxMemoCharacters: BigInt(LONGEST_MEMO),
      // As many as fit into a transaction.
      txSigLimit: BigInt(Number.MAX_SAFE_INTEGER),
      txSizeCostPerByte: BigInt(GAS.byte),
      // Keys of this kind are refused.
      sigVerifyCostEd25519: 0n,
      sigVerifyCostSecp256k1: BigInt(GAS.signature),
    },
  })),

  '/cosmos.auth.v1beta1.Query/ModuleAccounts': query(
    QueryModuleAccountsRequest,
    QueryModuleAccountsResponse,
    (chain) => ({ accounts: moduleAccounts(chain) }),
  ),

  '/cosmos.auth.v1beta1.Query/ModuleAccountByName': query(
    QueryModuleAccountByNameRequest,
    QueryModuleAccountByNameResponse,
    (chain, { name }) => {
      if (name !== 'fee_collector') throw notFound(`account ${name} not found`)
      return { account: moduleAccounts(chain)[0] }
    },
  ),

  '/cosmos.auth.v1beta1.Query/Bech32Prefix': query(Bech32PrefixRequest, Bech32PrefixResponse, ({ genesis }) => ({
    bech32Prefix: genesis.prefix,
  })),
}
