import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
  QueryDenomsMetadataRequest,
  QueryDenomsMetadataResponse,
  QueryParamsRequest,
  QueryParamsResponse,
  QuerySpendableBalanceByDenomRequest,
  QuerySpendableBalanceByDenomResponse,
  QuerySpendableBalancesRequest,
  QuerySpendableBalancesResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyRequest,
  QueryTotalSupplyResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import type { Chain } from '../../chain.ts'
import { readAddress } from '../../state/addresses.ts'
import { FEES, feeCollector } from '../../state/admit.ts'
import { balanceOf } from '../../state/bank.ts'
import { invalid, notFound, paginateList, type Queries, query } from './query.ts'

/** In the smallest unit of the fee coin. Fees have an account of their own in the state, see `FEES`. */
export function balanceAt(chain: Chain, text: string): string {
  const address = readAddress(chain.genesis, text)
  return chain.read((store) => {
    const fees = address === feeCollector(chain.genesis) ? balanceOf(store, FEES) : 0n
    return String(balanceOf(store, address) + fees)
  })
}

/** The chain has one coin; tokens are contracts. */
function balanceIn(chain: Chain, address: string, denom: string): Coin {
  if (denom === '') throw invalid('invalid denom')
  const amount = balanceAt(chain, address)
  return { denom, amount: denom === chain.genesis.denom ? amount : '0' }
}

function balancesOf(chain: Chain, address: string): Coin[] {
  const amount = balanceAt(chain, address)
  return amount === '0' ? [] : [{ denom: chain.genesis.denom, amount }]
}

/** All coins are of the genesis: none are made or burnt. */
const supply = ({ genesis }: Chain): Coin => ({ denom: genesis.denom, amount: genesis.coins })

const metadata = ({ genesis: { denom, prefix } }: Chain) => ({
  description: 'Pays network fees.',
  denomUnits: [
    { denom, exponent: 0 },
    { denom: prefix, exponent: 6 },
  ],
  base: denom,
  display: prefix,
  name: prefix.toUpperCase(),
  symbol: prefix.toUpperCase(),
})

export const bankQueries: Queries = {
  '/cosmos.bank.v1beta1.Query/Balance': query(
    QueryBalanceRequest,
    QueryBalanceResponse,
    (chain, { address, denom }) => ({
      balance: balanceIn(chain, address, denom),
    }),
  ),

  '/cosmos.bank.v1beta1.Query/AllBalances': query(
    QueryAllBalancesRequest,
    QueryAllBalancesResponse,
    (chain, request) => {
      const { list, pagination } = paginateList(balancesOf(chain, request.address), request.pagination)
      return { balances: list, pagination }
    },
  ),

  // No coins are locked: contracts lock tokens.
  '/cosmos.bank.v1beta1.Query/SpendableBalances': query(
    QuerySpendableBalancesRequest,
    QuerySpendableBalancesResponse,
    (chain, request) => {
      const { list, pagination } = paginateList(balancesOf(chain, request.address), request.pagination)
      return { balances: list, pagination }
    },
  ),

  '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom': query(
    QuerySpendableBalanceByDenomRequest,
    QuerySpendableBalanceByDenomResponse,
    (chain, { address, denom }) => ({ balance: balanceIn(chain, address, denom) }),
  ),

  '/cosmos.bank.v1beta1.Query/TotalSupply': query(
    QueryTotalSupplyRequest,
    QueryTotalSupplyResponse,
    (chain, request) => {
      const { list, pagination } = paginateList([supply(chain)], request.pagination)
      return { supply: list, pagination }
    },
  ),

  '/cosmos.bank.v1beta1.Query/SupplyOf': query(QuerySupplyOfRequest, QuerySupplyOfResponse, (chain, { denom }) => {
    if (denom === '') throw invalid('invalid denom')
    return { amount: denom === chain.genesis.denom ? supply(chain) : { denom, amount: '0' } }
  }),

  '/cosmos.bank.v1beta1.Query/DenomMetadata': query(
    QueryDenomMetadataRequest,
    QueryDenomMetadataResponse,
    (chain, { denom }) => {
      if (denom !== chain.genesis.denom) throw notFound(`client metadata for denom ${denom}`)
      return { metadata: metadata(chain) }
    },
  ),

  '/cosmos.bank.v1beta1.Query/DenomsMetadata': query(
    QueryDenomsMetadataRequest,
    QueryDenomsMetadataResponse,
    (chain, request) => {
      const { list, pagination } = paginateList([metadata(chain)], request.pagination)
      return { metadatas: list, pagination }
    },
  ),

  '/cosmos.bank.v1beta1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, () => ({
    params: { defaultSendEnabled: true },
  })),
}
