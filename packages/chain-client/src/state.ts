import { fromUtf8, toUtf8 } from '@cosmjs/encoding'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QuerySmartContractStateRequest, QuerySmartContractStateResponse } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { numbersOf } from './accounts.ts'
import { type ChainPort, ChainRefusal } from './chain-port.ts'
import type { Rpc } from './rpc.ts'

/** The current state of accounts and contracts. */
export const stateOf = ({ abci }: Rpc): Pick<ChainPort, 'account' | 'balance' | 'query'> => ({
  async account(address) {
    try {
      const request = QueryAccountRequest.encode({ address }).finish()
      const { account } = QueryAccountResponse.decode(await abci('/cosmos.auth.v1beta1.Query/Account', request))
      return account && numbersOf(account.value, address)
    } catch (error) {
      if (error instanceof ChainRefusal && /code = NotFound/.test(error.message)) return undefined
      throw error
    }
  },

  async balance(address, denom) {
    const request = QueryBalanceRequest.encode({ address, denom }).finish()
    const { balance } = QueryBalanceResponse.decode(await abci('/cosmos.bank.v1beta1.Query/Balance', request))
    return BigInt(balance?.amount ?? '0')
  },

  async query<T>(contract: string, question: object): Promise<T> {
    const request = QuerySmartContractStateRequest.encode({
      address: contract,
      queryData: toUtf8(JSON.stringify(question)),
    }).finish()
    const { data } = QuerySmartContractStateResponse.decode(
      await abci('/cosmwasm.wasm.v1.Query/SmartContractState', request),
    )
    return JSON.parse(fromUtf8(data)) as T
  },
})
