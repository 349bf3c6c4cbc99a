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

/** Messages that an operator sends. Amounts in the smallest unit of the fee coin. */
export type OperatorMessage =
  | { execute: { contract: string; msg: object } }
  | { coins: readonly { to: string; amount: bigint }[] }

/** A signed transaction, broadcast or not. */
export interface SignedTransaction {
  /** Hex, upper case. */
  hash: string
  bytes: Uint8Array
  /** Timeout height: no later block includes it. */
  lastHeight: number
  /** Account number of the signer: with the bytes and the chain's id, it is all that was signed. */
  account: number
}

export interface SubmitOptions {
  /**
   * Called before a transaction is broadcast, so that it can be stored and a crash loses nothing. Called again with a replacement if the
   * chain requires another sequence. If it throws, nothing is broadcast.
   */
  onSigned?: (signed: SignedTransaction) => Promise<void>
  /** Random digits are appended. */
  memo?: string
}

export interface OperatorOptions {
  port: ChainPort
  /** 32 bytes of secp256k1. */
  privateKey: Uint8Array
  chainId: string
  prefix: string
  denom: string
  /** Fees. Default: simulated gas at `gasPrice`, or at the chain's price. */
  fees?: Fees | undefined
  gasPrice?: number | undefined
}

/** Signs for the network: pays claims, ends orders. */
export interface Operator {
  address: string
  /**
   * Signs and broadcasts transactions one after the other; resolves when a node accepts it, before it is in a block.
   * @throws ChainRefusal it was rejected for good, unless `uncertain`; ChainUnreachable its state is unknown
   */
  submit(messages: readonly OperatorMessage[], options?: SubmitOptions): Promise<SignedTransaction>
  /**
   * As `submit`, and waits for the block.
   * @throws ChainRefusal also if it failed in a block; ChainPending if no block included it in time
   */
  execute(messages: readonly OperatorMessage[], options?: SubmitOptions): Promise<ChainTransaction>
}

/** Broadcast, but not in a block yet. */
export class ChainPending extends Error {
  readonly hash: string

  constructor(hash: string) {
    super(`transaction ${hash} was submitted but was not yet found`)
    this.hash = hash
  }
}

/** Gas limit if a transaction cannot be simulated, plus this for each message or receiver. */
const GAS = 120_000
const GAS_A_MESSAGE = 220_000
/** Blocks until a transaction times out. */
const TIMEOUT_BLOCKS = 30
/** Attempts with another sequence: other programs may sign with the same key. */
const TRIES = 20
/** Most ms of random delay between attempts, so that two programs do not collide again. */
const APART_MS = 100
const POLL_MS = 400
const WAIT_MS = 60_000

/** Signs with one key, one transaction at a time. Counts the sequence locally and queries it again if the chain disagrees. */
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
    const lastHeight = height + TIMEOUT_BLOCKS
    const wanted = messages.map((message) => anyOf(message, address, denom))
    const bodyBytes = TxBody.encode(
      TxBody.fromPartial({
        messages: wanted,
        // Makes transactions unique: two programs with one key may send the same messages at the same time.
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
    return { hash: toHex(sha256(bytes)).toUpperCase(), bytes, lastHeight, account: account.number }
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
        // The outcome is unknown, or it was rejected: query the sequence again.
        account = undefined
        if (!(error instanceof ChainRefusal) || error.uncertain || tries === TRIES) throw error
        // The gas price rose since it was queried.
        if (error.codespace === 'sdk' && error.code === 13 && tries === 1 && fees.forget()) continue
        // A node that has just started checks signatures rightly only after its next block.
        if (error.codespace === 'sdk' && error.code === 4 && tries === 1 && (await hasNextBlock(port))) continue
        if (error.codespace !== 'sdk' || error.code !== 32) throw error
        // The error includes pending transactions, unlike the account query.
        const expected = /expected (\d+)/.exec(error.message)?.[1]
        if (known && expected !== undefined) account = { number: known.number, sequence: Number(expected) }
        // The first mismatch is usually our own, so retry without delay.
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

/** Waits for a block after the present one. @returns false if none comes in time */
async function hasNextBlock(port: ChainPort): Promise<boolean> {
  const heightOf = () => port.status().then(({ height }) => height)
  const end = Date.now() + WAIT_MS
  const known = await heightOf().catch(() => 0)
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if ((await heightOf().catch(() => 0)) > known) return true
  }
  return false
}

/** Waits until a transaction is in a block. @throws ChainPending after `ms`; errors of the port if the last query fails */
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

/** A contract call. */
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
