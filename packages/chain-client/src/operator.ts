import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { toBech32, toHex, toUtf8 } from '@cosmjs/encoding'
import { makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainPort, ChainRefusal } from './chain-port.ts'
import { createFees, type Fees } from './fees.ts'
import type { ChainTransaction } from './verify.ts'

/** What an operator may want of the chain. Coins in the smallest unit of the coin that pays fees. */
export type OperatorMessage =
  | { execute: { contract: string; msg: object } }
  | { coins: readonly { to: string; amount: bigint }[] }

/** A transaction that is signed and may or may not be on its way. */
export interface SignedTransaction {
  /** Hex in capitals. */
  hash: string
  bytes: Uint8Array
  /** No block above this height takes it: what is in none by then never will be. */
  lastHeight: number
}

export interface SubmitOptions {
  /**
   * Called with what is about to be handed in, before it is: to be written down, so that a crash loses nothing. Called again, with
   * another transaction in the place of the last, when the chain wants another sequence. What it throws keeps it from being sent.
   */
  onSigned?: (signed: SignedTransaction) => Promise<void>
  /** Some random digits are added. */
  memo?: string
}

export interface OperatorOptions {
  port: ChainPort
  /** 32 bytes of secp256k1. */
  privateKey: Uint8Array
  chainId: string
  prefix: string
  denom: string
  /** What transactions cost; left out, what they use at `gasPrice`, or at the chain's own. */
  fees?: Fees | undefined
  gasPrice?: number | undefined
}

/** Whoever signs for the network: pays claims, ends orders. */
export interface Operator {
  address: string
  /**
   * Signs and hands in, one after the other; resolves when a node has taken it, before a block holds it.
   * @throws ChainRefusal it was not taken and never will be, unless `uncertain`; ChainUnreachable nobody knows whether it was taken
   */
  submit(messages: readonly OperatorMessage[], options?: SubmitOptions): Promise<SignedTransaction>
  /**
   * Does the same and waits for the block.
   * @throws ChainRefusal also for what a block refused; ChainPending when none held it in time
   */
  execute(messages: readonly OperatorMessage[], options?: SubmitOptions): Promise<ChainTransaction>
}

/** Handed in, but in no block yet. */
export class ChainPending extends Error {
  readonly hash: string

  constructor(hash: string) {
    super(`transaction ${hash} was submitted but was not yet found`)
    this.hash = hash
  }
}

/** Gas that is allowed for a transaction that cannot be tried before, and for each of its messages or receivers. */
const GAS = 120_000
const GAS_A_MESSAGE = 220_000
/** Blocks that a transaction may wait. */
const PATIENCE = 30
/** Another sequence is tried so often: others may sign with the same key. */
const TRIES = 20
/** Ms between them at most, so that those who meet do not meet again. */
const APART_MS = 100
const POLL_MS = 400
const WAIT_MS = 60_000

/** Signs with one key, one transaction after the other; the sequence is counted here and asked for again when the chain disagrees. */
export function createOperator({
  port,
  privateKey,
  chainId,
  prefix,
  denom,
  gasPrice,
  fees = createFees({ port, denom, gasPrice }),
}: OperatorOptions): Operator {
  const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey)
  const address = toBech32(prefix, rawSecp256k1PubkeyToRawAddress(publicKey))
  let account: { number: number; sequence: number } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function sign(messages: readonly OperatorMessage[], memo: string): Promise<SignedTransaction> {
    account ??= await port.account(address)
    if (!account) throw new ChainRefusal('sdk', 9, `account ${address} does not exist on chain`)
    const { height } = await port.status()
    const lastHeight = height + PATIENCE
    const wanted = messages.map((message) => anyOf(message, address, denom))
    const bodyBytes = TxBody.encode(
      TxBody.fromPartial({
        messages: wanted,
        // Two programs with one key may want the same at the same moment: each gets a transaction of its own.
        memo: `${memo} ${toHex(crypto.getRandomValues(new Uint8Array(8)))}`.trim(),
        timeoutHeight: BigInt(lastHeight),
      }),
    ).finish()
    const most =
      GAS + GAS_A_MESSAGE * messages.reduce((sum, each) => sum + ('coins' in each ? each.coins.length : 1), 0)
    const { amount, gas } = await fees.of(wanted, account.sequence, most)
    const authInfoBytes = makeAuthInfoBytes(
      [
        {
          pubkey: Any.fromPartial({
            typeUrl: '/cosmos.crypto.secp256k1.PubKey',
            value: PubKey.encode({ key: publicKey }).finish(),
          }),
          sequence: account.sequence,
        },
      ],
      amount === '0' ? [] : [{ denom, amount }],
      Number(gas),
      undefined,
      undefined,
    )
    const document = makeSignBytes(makeSignDoc(bodyBytes, authInfoBytes, chainId, account.number))
    const signature = Secp256k1.createSignature(sha256(document), privateKey)
    const bytes = TxRaw.encode({
      bodyBytes,
      authInfoBytes,
      signatures: [new Uint8Array([...signature.r(32), ...signature.s(32)])],
    }).finish()
    return { hash: toHex(sha256(bytes)).toUpperCase(), bytes, lastHeight }
  }

  async function submitNow(messages: readonly OperatorMessage[], { onSigned, memo = '' }: SubmitOptions) {
    for (let tries = 1; ; tries++) {
      const signed = await sign(messages, memo)
      try {
        await onSigned?.(signed)
        await port.broadcast(signed.bytes)
        if (account) account.sequence++
        return signed
      } catch (error) {
        const known = account
        // Whether it was taken is not known, or it was not: the chain is asked where it stands.
        account = undefined
        if (!(error instanceof ChainRefusal) || error.uncertain || tries === TRIES) throw error
        // Its price has risen since it was asked for.
        if (error.codespace === 'sdk' && error.code === 13 && tries === 1 && fees.forget()) continue
        if (error.codespace !== 'sdk' || error.code !== 32) throw error
        // What waits counts too, and no question about the account tells that.
        const expected = /expected (\d+)/.exec(error.message)?.[1]
        if (known && expected !== undefined) account = { number: known.number, sequence: Number(expected) }
        // The first one is our own mistake as a rule, and costs no time.
        if (tries > 1) await new Promise((resolve) => setTimeout(resolve, Math.random() * APART_MS))
      }
    }
  }

  const submit: Operator['submit'] = (messages, options = {}) => {
    const mine = turn.then(() => submitNow(messages, options))
    turn = mine.catch(() => {})
    return mine
  }

  return {
    address,
    submit,
    async execute(messages, options) {
      const { hash } = await submit(messages, options)
      const tx = await found(port, hash)
      if (tx.code !== 0) throw new ChainRefusal(tx.codespace, tx.code, tx.log)
      return tx
    },
  }
}

/** Waits until a block holds a transaction. @throws ChainPending after `ms`; errors of the port when it cannot be asked at the end */
export async function found(port: ChainPort, hash: string, ms = WAIT_MS): Promise<ChainTransaction> {
  const end = Date.now() + ms
  for (;;) {
    const late = Date.now() >= end
    const tx = await port.tx(hash).catch((error: unknown) => {
      if (late) throw error
      return undefined
    })
    if (tx) return tx
    if (late) throw new ChainPending(hash)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** The call of a contract. */
export const executeAny = (sender: string, contract: string, msg: object): Any =>
  Any.fromPartial({
    typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
    value: MsgExecuteContract.encode(
      MsgExecuteContract.fromPartial({ sender, contract, msg: toUtf8(JSON.stringify(msg)), funds: [] }),
    ).finish(),
  })

function anyOf(message: OperatorMessage, sender: string, denom: string): Any {
  if ('execute' in message) {
    const { contract, msg } = message.execute
    return executeAny(sender, contract, msg)
  }
  const coins = (amount: bigint) => [{ denom, amount: String(amount) }]
  const [only] = message.coins
  if (only && message.coins.length === 1)
    return Any.fromPartial({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: MsgSend.encode(
        MsgSend.fromPartial({ fromAddress: sender, toAddress: only.to, amount: coins(only.amount) }),
      ).finish(),
    })
  const sum = message.coins.reduce((total, { amount }) => total + amount, 0n)
  return Any.fromPartial({
    typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
    value: MsgMultiSend.encode(
      MsgMultiSend.fromPartial({
        inputs: [{ address: sender, coins: coins(sum) }],
        outputs: message.coins.map(({ to, amount }) => ({ address: to, coins: coins(amount) })),
      }),
    ).finish(),
  })
}
