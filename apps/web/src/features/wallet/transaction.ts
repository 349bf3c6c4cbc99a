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
import { absoluteUrl } from './chain.ts'
import { WalletError, walletError } from './errors.ts'
import { type CosmosWallet, sameAddress } from './wallet.ts'

/**
 * Builds, signs and broadcasts transactions. Contains the chain's codecs: import it dynamically, only to sign.
 */

/** What a transaction does: call a contract, or send the fee coin. A transaction with a `memo` is sent only if the wallet keeps it. */
export type TransactionRequest = ({ contract: string; message: object } | { to: string; units: bigint }) & {
  memo?: string
}

/** An unsigned transaction. */
export interface Prepared {
  document: StdSignDoc
  /** The exact text that is signed. */
  text: string
  /** Decoded from `text`. */
  facts: TransactionFacts
}

const POLL_MS = 1000
const TIMEOUT_MS = 60_000

const ports = new Map<string, ChainPort>()

/** Client of the chain's RPC, cached. */
export function portOf({ rpc, chain_id: chainId }: Pick<ChainSettings, 'rpc' | 'chain_id'>): ChainPort {
  const name = `${chainId} ${rpc}`
  const known = ports.get(name) ?? createChainPort({ urls: [absoluteUrl(rpc)], chainId })
  ports.set(name, known)
  return known
}

async function callChain<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof ChainUnreachable ? new WalletError('unreachable', error) : walletError(error)
  }
}

function aminoOf(request: TransactionRequest, sender: string, denom: string): AminoMsg {
  if ('contract' in request)
    return {
      type: 'wasm/MsgExecuteContract',
      value: { sender, contract: request.contract, msg: request.message, funds: [] },
    }
  return {
    type: 'cosmos-sdk/MsgSend',
    value: { from_address: sender, to_address: request.to, amount: [{ denom, amount: String(request.units) }] },
  }
}

/**
 * Builds the document that a wallet signs, with the account's current number and sequence.
 * @throws WalletError `noGasAccount` for an address unknown to the chain, `unreachable`
 */
export async function prepare(
  settings: ChainSettings,
  sender: string,
  request: TransactionRequest,
  fee: { amount: string; denom: string; gas: string },
  exchangeToken?: string,
): Promise<Prepared> {
  const account = await callChain(() => portOf(settings).account(sender))
  if (!account) throw new WalletError('noGasAccount')
  const paid: StdFee = { amount: [{ denom: fee.denom, amount: fee.amount }], gas: fee.gas }
  const message = aminoOf(request, sender, settings.denom)
  const memo = request.memo ?? ''
  const document = makeSignDoc([message], paid, settings.chain_id, memo, account.number, account.sequence)
  const text = fromUtf8(serializeSignDoc(document))
  return { document, text, facts: factsOfText(text, settings, exchangeToken) }
}

/** Decodes the text that a wallet is asked to sign. @throws if it is not a transaction document */
export function factsOfText(
  text: string,
  { token, orders }: Pick<ChainSettings, 'token' | 'orders'>,
  exchangeToken?: string,
): TransactionFacts {
  const { bodyBytes, authInfoBytes } = partsOf(JSON.parse(text) as StdSignDoc)
  return factsOfParts(bodyBytes, authInfoBytes, { token: token.address, orders, exchangeToken })
}

/** The encoded parts of a transaction from its Amino document. */
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
  // Shown by its type only; this page never broadcasts such messages.
  return Any.fromPartial({ typeUrl: type })
}

/**
 * Signs with a wallet and broadcasts. In the wallet the user may change only the fee, and the memo if none was requested.
 * @param onSigned called before the broadcast; throwing prevents it
 * @returns the hash, once a node has accepted it
 * @throws WalletError `rejected`, `changed`, `memoChanged`, or the chain's error
 */
export async function signAndSend(
  wallet: CosmosWallet,
  settings: ChainSettings,
  { document }: Prepared,
  onSigned = () => {},
): Promise<{ hash: string }> {
  const sender = senderOf(document)
  const { address, publicKey } = await wallet.connect()
  if (!sameAddress(address, sender))
    throw new WalletError('mismatch', undefined, { linked: sender, connected: address })
  const signer = await wallet.offlineSigner()
  const { signed, signature } = await callChain(() => signer.signAmino(address, document))
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
  // The receiver could not assign the payment, so sending it would only cost the fee.
  if (document.memo !== '' && signed.memo !== document.memo) throw new WalletError('memoChanged')
  onSigned()
  const { bodyBytes, authInfoBytes } = partsOf(signed, publicKey)
  const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [fromBase64(signature.signature)] }).finish()
  const { hash } = await callChain(() => portOf(settings).broadcast(bytes))
  return { hash }
}

const senderOf = ({ msgs: [message] }: StdSignDoc): string => message?.value.sender ?? message?.value.from_address ?? ''

/**
 * Waits until a transaction is in a block.
 * @throws WalletError if it failed in the block; `pending` if it was not in a block in time
 */
export async function waitForTransaction(settings: ChainSettings, hash: string): Promise<void> {
  const until = Date.now() + TIMEOUT_MS
  for (;;) {
    // Ignore errors of a single poll: the transaction was accepted already.
    const found = await portOf(settings)
      .tx(hash)
      .catch(() => undefined)
    if (found?.code === 0) return
    if (found) throw new WalletError(problemOfResult(found), found)
    if (Date.now() > until) throw new WalletError('pending')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
