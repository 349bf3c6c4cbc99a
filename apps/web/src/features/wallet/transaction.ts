import { type AminoMsg, makeSignDoc, type StdFee, type StdSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { fromBase64, fromUtf8, toUtf8 } from '@cosmjs/encoding'
import { factsOfParts, type TransactionFacts } from '@tidenet/chain-client/facts'
import { type ChainPort, ChainUnreachable, createChainPort } from '@tidenet/chain-client/port'
import { problemOfResult } from '@tidenet/chain-client/problems'
import type { ChainSettings } from '@tidenet/contract'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { wholeAddress } from './chain.ts'
import { WalletError, walletError } from './errors.ts'
import { type CosmosWallet, sameAddress } from './wallet.ts'

/**
 * Composes, signs and hands in transactions of the chain. It brings the chain's codecs along: imported where somebody is about to sign,
 * never before.
 */

/** What a transaction is to do: call a contract, or send of the coin that pays fees. */
export type Wish = { contract: string; message: object } | { to: string; units: bigint }

/** A transaction that can be signed. */
export interface Prepared {
  document: StdSignDoc
  /** Exactly what is signed. */
  text: string
  /** What that says. */
  facts: TransactionFacts
}

/** Ms between looks for a transaction, and until it is told that it waits. */
const POLL = 1000
const PATIENCE = 60_000

const ports = new Map<string, ChainPort>()

/** The chain, as this page reaches it. */
export function portOf({ rpc, chain_id: chainId }: Pick<ChainSettings, 'rpc' | 'chain_id'>): ChainPort {
  const name = `${chainId} ${rpc}`
  const known = ports.get(name) ?? createChainPort({ urls: [wholeAddress(rpc)], chainId })
  ports.set(name, known)
  return known
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof ChainUnreachable ? new WalletError('unreachable', error) : walletError(error)
  }
}

function aminoOf(wish: Wish, sender: string, denom: string): AminoMsg {
  if ('contract' in wish)
    return {
      type: 'wasm/MsgExecuteContract',
      value: { sender, contract: wish.contract, msg: wish.message, funds: [] },
    }
  return {
    type: 'cosmos-sdk/MsgSend',
    value: { from_address: sender, to_address: wish.to, amount: [{ denom, amount: String(wish.units) }] },
  }
}

/**
 * Makes the document that a wallet signs, with the number and sequence that its account has now.
 * @throws WalletError `noGasAccount` for an address that the chain has never seen, `unreachable`
 */
export async function prepare(
  settings: ChainSettings,
  sender: string,
  wish: Wish,
  fee: { amount: string; denom: string; gas: string },
): Promise<Prepared> {
  const account = await asked(() => portOf(settings).account(sender))
  if (!account) throw new WalletError('noGasAccount')
  const paid: StdFee = { amount: [{ denom: fee.denom, amount: fee.amount }], gas: fee.gas }
  const message = aminoOf(wish, sender, settings.denom)
  const document = makeSignDoc([message], paid, settings.chain_id, '', account.number, account.sequence)
  const text = fromUtf8(serializeSignDoc(document))
  return { document, text, facts: factsOfText(text, settings) }
}

/** What the bytes say that a wallet is asked to sign. Throws for what is no document of a transaction. */
export function factsOfText(
  text: string,
  { token, orders }: Pick<ChainSettings, 'token' | 'orders'>,
): TransactionFacts {
  const { bodyBytes, authInfoBytes } = partsOf(JSON.parse(text) as StdSignDoc)
  return factsOfParts(bodyBytes, authInfoBytes, { token: token.address, orders })
}

/** The parts of a transaction that belong to a document that was signed in this form. */
function partsOf(document: StdSignDoc, publicKey: Uint8Array = new Uint8Array()) {
  const bodyBytes = TxBody.encode(
    TxBody.fromPartial({
      messages: document.msgs.map(anyOf),
      memo: document.memo,
      timeoutHeight: BigInt((document as { timeout_height?: string }).timeout_height ?? 0),
    }),
  ).finish()
  const { amount, gas, payer, granter } = document.fee
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: Any.fromPartial({
            typeUrl: '/cosmos.crypto.secp256k1.PubKey',
            value: PubKey.encode({ key: publicKey }).finish(),
          }),
          modeInfo: { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } },
          sequence: BigInt(document.sequence),
        },
      ],
      fee: { amount: [...amount], gasLimit: BigInt(gas), payer: payer ?? '', granter: granter ?? '' },
    }),
  ).finish()
  return { bodyBytes, authInfoBytes }
}

function anyOf({ type, value }: AminoMsg): Any {
  if (type === 'wasm/MsgExecuteContract') {
    const { sender, contract, msg, funds } = value
    return Any.fromPartial({
      typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
      value: MsgExecuteContract.encode(
        MsgExecuteContract.fromPartial({ sender, contract, msg: toUtf8(JSON.stringify(msg)), funds }),
      ).finish(),
    })
  }
  if (type === 'cosmos-sdk/MsgSend') {
    const { from_address: fromAddress, to_address: toAddress, amount } = value
    return Any.fromPartial({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: MsgSend.encode(MsgSend.fromPartial({ fromAddress, toAddress, amount })).finish(),
    })
  }
  // Told by its name alone, and never handed in by this page.
  return Any.fromPartial({ typeUrl: type })
}

/**
 * Has a wallet sign and hands in what came back: the person may have changed fee and remark in the wallet, and nothing else.
 * @param onSigned called before it is handed in; what it throws keeps it here
 * @returns the hash, as soon as a node has taken it
 * @throws WalletError `rejected`, `changed`, or what the chain says
 */
export async function signAndSend(
  wallet: CosmosWallet,
  settings: ChainSettings,
  { document }: Prepared,
  onSigned = () => {},
): Promise<{ hash: string }> {
  const sender = senderOf(document)
  const { address, publicKey } = await wallet.connect()
  if (!sameAddress(address, sender)) throw new WalletError('mismatch', undefined, { bound: sender, connected: address })
  const signer = await wallet.offlineSigner()
  const { signed, signature } = await asked(() => signer.signAmino(address, document))
  const core = ({ msgs, chain_id, account_number, sequence }: StdSignDoc) =>
    fromUtf8(
      serializeSignDoc({
        msgs,
        chain_id,
        account_number,
        sequence,
        memo: '',
        fee: { amount: [], gas: '0' },
      } as StdSignDoc),
    )
  if (core(signed) !== core(document)) throw new WalletError('changed')
  onSigned()
  const { bodyBytes, authInfoBytes } = partsOf(signed, publicKey)
  const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [fromBase64(signature.signature)] }).finish()
  const { hash } = await asked(() => portOf(settings).broadcast(bytes))
  return { hash }
}

const senderOf = ({ msgs: [message] }: StdSignDoc): string => message?.value.sender ?? message?.value.from_address ?? ''

/**
 * Waits until a block holds a transaction.
 * @throws WalletError what the block says of one that was not carried out; `pending` when none held it in time
 */
export async function confirmed(settings: ChainSettings, hash: string): Promise<void> {
  const until = Date.now() + PATIENCE
  for (;;) {
    // A chain that does not answer for a moment has the transaction all the same.
    const found = await portOf(settings)
      .tx(hash)
      .catch(() => undefined)
    if (found?.code === 0) return
    if (found) throw new WalletError(problemOfResult(found), found)
    if (Date.now() > until) throw new WalletError('pending')
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
}
