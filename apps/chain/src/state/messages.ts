import { MsgMultiSendResponse, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecuteContractResponse } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Settings } from '../settings.ts'
import { readAddress } from './addresses.ts'
import { bankSender, type ChainEvent, coinSpent, event, sendCoins, sumOf } from './bank.ts'
import type { BlockContext, Contracts } from './contracts.ts'
import { GAS, type GasMeter } from './gas.ts'
import { refuse } from './refusal.ts'
import type { Store } from './store.ts'
import { type Message, signersOf } from './transactions.ts'

/** One message of an accepted transaction. */
export function executeMessage(
  settings: Settings,
  contracts: Contracts,
  store: Store,
  blockContext: BlockContext,
  gas: GasMeter,
  message: Message,
): { events: ChainEvent[]; response: Uint8Array; typeUrl: string } {
  gas.take(GAS.message, 'message')
  if (message.kind === 'send') {
    const { fromAddress, toAddress, amount } = message.value
    return {
      events: [...sendCoins(settings, store, fromAddress, toAddress, amount), bankSender(fromAddress)],
      response: MsgSendResponse.encode({}).finish(),
      typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse',
    }
  }
  if (message.kind === 'multiSend') {
    const { inputs, outputs } = message.value
    const [input] = inputs
    if (!input || inputs.length !== 1) throw refuse.request('multiple senders not allowed')
    const sent = sumOf(settings, input.coins)
    if (outputs.reduce((sum, { coins }) => sum + sumOf(settings, coins), 0n) !== sent)
      throw refuse.request('sum inputs != sum outputs')
    const received = outputs.flatMap(({ address, coins }) =>
      // All outputs are spent at once.
      sendCoins(settings, store, input.address, address, coins).filter(({ type }) => type !== 'coin_spent'),
    )
    return {
      events: [bankSender(input.address), coinSpent(input.address, `${sent}${settings.denom}`), ...received],
      response: MsgMultiSendResponse.encode({}).finish(),
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSendResponse',
    }
  }
  const { sender, contract, msg, funds } = message.value
  readAddress(settings, contract)
  const { events, data } = contracts.execute(store, blockContext, gas, { sender, contract, message: msg, funds })
  return {
    events,
    response: MsgExecuteContractResponse.encode({ data }).finish(),
    typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContractResponse',
  }
}

/** The first event of a message, as `createEvents` of the Cosmos SDK makes it. */
export function messageEvent(message: Message, action: string): ChainEvent {
  const [sender = ''] = signersOf(message)
  return event('message', { action, sender, module: action.split('.')[1] ?? '' })
}
