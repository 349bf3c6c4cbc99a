import { toBase64 } from '@cosmjs/encoding'
import type { Settings } from '../settings.ts'
import { addressOf, moduleAddress, readAddress } from './addresses.ts'
import {
  balanceOf,
  bankSender,
  type ChainEvent,
  coinSpent,
  coinsReceived,
  event,
  findAccount,
  saveAccount,
  setBalance,
  sumOf,
} from './bank.ts'
import type { BlockContext } from './contracts.ts'
import { GAS, type GasMeter, MOST_GAS } from './gas.ts'
import { refuse } from './refusal.ts'
import type { Store } from './store.ts'
import { isSigned, publicKeyOf, readPublicKey, type Transaction } from './transactions.ts'

/** Fees end here: `feeCollector` in the state. */
export const FEES = 'fees'
/** The account of the Cosmos SDK that receives fees. */
export const feeCollector = (settings: Settings): string => moduleAddress(settings, 'fee_collector')

/** Checks a transaction before it is executed; takes the fee and increments the sequence. */
export function admit(
  settings: Settings,
  store: Store,
  tx: Transaction,
  blockContext: BlockContext,
  gas: GasMeter,
  how: 'check' | 'deliver' | 'simulate' | 'replay',
): ChainEvent[] {
  const fee = tx.authInfo.fee as NonNullable<typeof tx.authInfo.fee>
  gas.take(GAS.transaction + tx.bytes.length * GAS.byte, 'transaction')
  if (tx.body.timeoutHeight > 0n && tx.body.timeoutHeight < BigInt(blockContext.height))
    throw refuse.timeout(`block height: ${blockContext.height}, timeout height: ${tx.body.timeoutHeight}`)
  if (fee.granter) throw refuse.request('fee grants are not kept here')
  const amount = sumOf(settings, fee.amount)
  // Only a node's own limits: transactions in blocks were accepted already.
  if (how === 'check') {
    if (fee.gasLimit > MOST_GAS) throw refuse.gasLimit(`tx gas limit ${fee.gasLimit} exceeds block max gas ${MOST_GAS}`)
    for (const address of receiversOf(tx))
      if (address.toLowerCase() === feeCollector(settings))
        throw refuse.receiver(`${address} is not allowed to receive funds`)
    const minGasPrice = BigInt(Math.round(Number(settings.minGasPrice) * 1e6))
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
  return eventsOf(settings, tx, payer, amount)
}

/** Of coins. */
const receiversOf = ({ messages }: Transaction): string[] =>
  messages.flatMap(({ kind, value }) => {
    if (kind === 'send') return [value.toAddress]
    return kind === 'multiSend' ? value.outputs.map(({ address }) => address) : []
  })

/** In the order of the ante handlers of the Cosmos SDK: the fee, then the signatures. */
function eventsOf(settings: Settings, tx: Transaction, payer: string, amount: bigint): ChainEvent[] {
  const fee = amount > 0n ? `${amount}${settings.denom}` : ''
  const collector = feeCollector(settings)
  return [
    ...(fee ? [coinSpent(payer, fee), ...coinsReceived(payer, collector, fee), bankSender(payer)] : []),
    event('tx', { fee, fee_payer: payer }),
    ...tx.signers.flatMap((signer, index) => [
      event('tx', { acc_seq: `${signer}/${tx.authInfo.signerInfos[index]?.sequence ?? 0n}` }),
      event('tx', { signature: toBase64(tx.raw.signatures[index] ?? new Uint8Array()) }),
    ]),
  ]
}
