import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { Settings } from '../settings.ts'
import { admit } from './admit.ts'
import type { ChainEvent } from './bank.ts'
import type { BlockContext, Contracts } from './contracts.ts'
import { createGasMeter, ENDLESS, MOST_GAS } from './gas.ts'
import { executeMessage, messageEvent } from './messages.ts'
import { refusalOf } from './refusal.ts'
import type { Store } from './store.ts'
import { readTransaction } from './transactions.ts'

/** Result of a transaction. */
export interface Result {
  code: number
  codespace: string
  log: string
  data: Uint8Array
  gasWanted: bigint
  gasUsed: bigint
  events: ChainEvent[]
}

/** The state transition function. */
export function createApp(settings: Settings, contracts: Contracts) {
  /** Executes a transaction of a block. If a message is refused, only fee and sequence change. */
  function deliver(
    store: Store,
    bytes: Uint8Array,
    blockContext: BlockContext,
    how: 'deliver' | 'simulate' | 'replay' = 'deliver',
  ): Result {
    let wanted = 0n
    let gas = createGasMeter(ENDLESS)
    let events: ChainEvent[] = []
    try {
      const tx = readTransaction(bytes)
      wanted = tx.authInfo.fee?.gasLimit ?? 0n
      gas = createGasMeter(how === 'simulate' ? MOST_GAS : wanted)
      events = store.atomically(() => admit(settings, store, tx, blockContext, gas, how))
      const done = store.atomically(() =>
        tx.messages.map((message, index) => {
          try {
            const { typeUrl = '' } = tx.body.messages[index] ?? {}
            const done = executeMessage(settings, contracts, store, blockContext, gas, message)
            return { ...done, events: [messageEvent(message, typeUrl), ...done.events] }
          } catch (error) {
            const refusal = refusalOf(error)
            refusal.message = `failed to execute message; message index: ${index}: ${refusal.message}`
            throw refusal
          }
        }),
      )
      return {
        code: 0,
        codespace: '',
        log: '',
        data: TxMsgData.encode(
          TxMsgData.fromPartial({
            msgResponses: done.map(({ typeUrl, response }) => ({ typeUrl, value: response })),
          }),
        ).finish(),
        gasWanted: wanted,
        gasUsed: gas.used,
        events: [
          ...events,
          ...done.flatMap((message, index) =>
            message.events.map(({ type, attributes }) => ({
              type,
              attributes: [...attributes, { key: 'msg_index', value: String(index) }],
            })),
          ),
        ],
      }
    } catch (error) {
      const { codespace, code, message } = refusalOf(error)
      return { code, codespace, log: message, data: new Uint8Array(), gasWanted: wanted, gasUsed: gas.used, events }
    }
  }

  /** Whether a block would accept a transaction, on a state that includes the pending ones. */
  function check(store: Store, bytes: Uint8Array, blockContext: BlockContext): Result {
    let wanted = 0n
    let gas = createGasMeter(ENDLESS)
    const nothing = { data: new Uint8Array(), events: [] }
    try {
      const tx = readTransaction(bytes)
      wanted = tx.authInfo.fee?.gasLimit ?? 0n
      gas = createGasMeter(wanted)
      store.atomically(() => admit(settings, store, tx, blockContext, gas, 'check'))
      return { code: 0, codespace: '', log: '', gasWanted: wanted, gasUsed: gas.used, ...nothing }
    } catch (error) {
      const { codespace, code, message } = refusalOf(error)
      return { code, codespace, log: message, gasWanted: wanted, gasUsed: gas.used, ...nothing }
    }
  }

  /** Result and gas of a transaction without executing it; signatures may be missing. */
  const simulate = (store: Store, bytes: Uint8Array, blockContext: BlockContext): Result =>
    store.runAndRollback(() => deliver(store, bytes, blockContext, 'simulate'))

  return { check, deliver, simulate }
}
