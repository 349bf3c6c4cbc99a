import { toBase64 } from '@cosmjs/encoding'
import { MsgMultiSendResponse, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { MsgExecuteContractResponse } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Settings } from '../settings.ts'
import { addressOf, readAddress } from './addresses.ts'
import { balanceOf, type ChainEvent, event, findAccount, saveAccount, sendCoins, setBalance, sumOf } from './bank.ts'
import { type Contracts, type Moment, readJson } from './contracts.ts'
import { createGasMeter, GAS, type GasMeter } from './gas.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { Store } from './store.ts'
import {
  isSigned,
  type Message,
  publicKeyOf,
  readPublicKey,
  readTransaction,
  type Transaction,
} from './transactions.ts'

/** What came of a transaction. */
export interface Result {
  code: number
  codespace: string
  log: string
  data: Uint8Array
  gasWanted: bigint
  gasUsed: bigint
  events: ChainEvent[]
}

/** Fees end here. */
export const FEES = 'fees'
const ENDLESS = BigInt(Number.MAX_SAFE_INTEGER)

/** The rules by which transactions change the state. */
export function createApp(settings: Settings, contracts: Contracts) {
  const minGasPrice = BigInt(Math.round(Number(settings.minGasPrice) * 1e6))

  /** What has to hold before anything is carried out; takes the fee and counts the sequence on. */
  function admit(
    store: Store,
    tx: Transaction,
    moment: Moment,
    gas: GasMeter,
    how: 'check' | 'deliver' | 'simulate' | 'replay',
  ) {
    const fee = tx.authInfo.fee as NonNullable<typeof tx.authInfo.fee>
    gas.take(GAS.transaction + tx.bytes.length * GAS.byte, 'transaction')
    if (tx.body.timeoutHeight > 0n && tx.body.timeoutHeight < BigInt(moment.height))
      throw refuse.timeout(`block height: ${moment.height}, timeout height: ${tx.body.timeoutHeight}`)
    if (fee.granter) throw refuse.request('fee grants are not kept here')
    const amount = sumOf(settings, fee.amount)
    // A node's own wish: what a block holds was taken already.
    if (how === 'check') {
      const wanted = (fee.gasLimit * minGasPrice + 999_999n) / 1_000_000n
      if (amount < wanted)
        throw refuse.fee(`insufficient fees; got: ${amount}${settings.denom} required: ${wanted}${settings.denom}`)
    }
    const payer = fee.payer || (tx.signers[0] as string)
    if (!tx.signers.includes(payer)) throw refuse.request('the payer of the fee does not sign')
    for (const signer of tx.signers) readAddress(settings, signer)
    if (!findAccount(store, payer)) throw refuse.unknownAddress(`fee payer address: ${payer} does not exist`)
    const has = balanceOf(store, payer)
    if (how !== 'simulate' && amount > 0n) {
      if (has < amount)
        throw refuse.funds(
          `spendable balance ${has}${settings.denom} is smaller than ${amount}${settings.denom}: insufficient funds`,
        )
      setBalance(store, payer, has - amount)
      setBalance(store, FEES, balanceOf(store, FEES) + amount)
    }
    if (tx.authInfo.signerInfos.length !== tx.signers.length)
      throw refuse.noSignatures(`expected ${tx.signers.length}, got ${tx.authInfo.signerInfos.length}`)
    for (const [index, signer] of tx.signers.entries()) {
      gas.take(GAS.signature, 'signature')
      const account = findAccount(store, signer)
      if (!account) throw refuse.unknownAddress(`account ${signer} does not exist`)
      const info = tx.authInfo.signerInfos[index]
      const key = readPublicKey(info?.publicKey) ?? publicKeyOf(account)
      if (how !== 'simulate') {
        if (!key) throw refuse.signature('the public key is not known')
        if (addressOf(settings, key) !== signer) throw refuse.signature('the public key is not that of the signer')
        const sequence = Number(info?.sequence ?? 0n)
        if (sequence !== account.sequence)
          throw refuse.sequence(`account sequence mismatch, expected ${account.sequence}, got ${sequence}`)
        if (how !== 'replay' && !isSigned(tx, index, account, key, settings.chainId))
          throw refuse.signature(
            `signature verification failed; please verify account number (${account.number}) and chain-id (${settings.chainId})`,
          )
      }
      saveAccount(store, { ...account, sequence: account.sequence + 1, ...(key && { publicKey: toBase64(key) }) })
    }
    return [
      event('tx', { fee: `${amount}${settings.denom}`, fee_payer: payer }),
      ...tx.signers.map((signer, index) =>
        event('tx', { acc_seq: `${signer}/${tx.authInfo.signerInfos[index]?.sequence ?? 0n}` }),
      ),
    ]
  }

  function carryOut(
    store: Store,
    moment: Moment,
    gas: GasMeter,
    message: Message,
  ): { events: ChainEvent[]; response: Uint8Array; typeUrl: string } {
    gas.take(GAS.message, 'message')
    if (message.kind === 'send') {
      const { fromAddress, toAddress, amount } = message.value
      return {
        events: sendCoins(settings, store, fromAddress, toAddress, amount),
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
      return {
        events: outputs.flatMap(({ address, coins }) => sendCoins(settings, store, input.address, address, coins)),
        response: MsgMultiSendResponse.encode({}).finish(),
        typeUrl: '/cosmos.bank.v1beta1.MsgMultiSendResponse',
      }
    }
    const { sender, contract, msg, funds } = message.value
    readAddress(settings, contract)
    const paid = funds.length > 0 ? sendCoins(settings, store, sender, contract, funds) : []
    return {
      events: [...paid, ...contracts.execute(store, moment, gas, { sender, contract, message: readJson(msg) })],
      response: MsgExecuteContractResponse.encode({ data: new Uint8Array() }).finish(),
      typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContractResponse',
    }
  }

  /** Carries out a transaction of a block. A refused message takes nothing but fee and sequence. */
  function deliver(
    store: Store,
    bytes: Uint8Array,
    moment: Moment,
    how: 'deliver' | 'simulate' | 'replay' = 'deliver',
  ): Result {
    let wanted = 0n
    let gas = createGasMeter(ENDLESS)
    let events: ChainEvent[] = []
    try {
      const tx = readTransaction(bytes)
      wanted = tx.authInfo.fee?.gasLimit ?? 0n
      gas = createGasMeter(how === 'simulate' ? ENDLESS : wanted)
      events = store.attempt(() => admit(store, tx, moment, gas, how))
      const done = store.attempt(() =>
        tx.messages.map((message, index) => {
          try {
            return carryOut(store, moment, gas, message)
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

  /** Whether a block would take a transaction, on a state that has what waits before it. */
  function check(store: Store, bytes: Uint8Array, moment: Moment): Result {
    let wanted = 0n
    let gas = createGasMeter(ENDLESS)
    const nothing = { data: new Uint8Array(), events: [] }
    try {
      const tx = readTransaction(bytes)
      wanted = tx.authInfo.fee?.gasLimit ?? 0n
      gas = createGasMeter(wanted)
      store.attempt(() => admit(store, tx, moment, gas, 'check'))
      return { code: 0, codespace: '', log: '', gasWanted: wanted, gasUsed: gas.used, ...nothing }
    } catch (error) {
      const { codespace, code, message } = refusalOf(error)
      return { code, codespace, log: message, gasWanted: wanted, gasUsed: gas.used, ...nothing }
    }
  }

  /** What a transaction would do and cost; its signatures may be missing. */
  const simulate = (store: Store, bytes: Uint8Array, moment: Moment): Result =>
    store.tryOut(() => deliver(store, bytes, moment, 'simulate'))

  return { check, deliver, simulate }
}

export type App = ReturnType<typeof createApp>
