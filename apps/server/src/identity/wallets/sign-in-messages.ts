import { randomBytes } from 'node:crypto'
import { AppError, type Lang, SIGN_IN_MESSAGE_LIFE } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { domainOf, isMessageFor, messageText } from './message-text.ts'
import { isSiweFor, type Proof, readProof, type WalletAddress } from './proofs.ts'
import {
  countMessages,
  findRecentMessages,
  findValidMessages,
  insertMessage,
  type MessageKey,
  useMessage,
} from './repository.ts'
import type { Purpose } from './texts.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Unused messages per client network and purpose, so that nobody can fill the table. */
const MAX_PER_NETWORK = 60
/** Unused messages per minute for a client network, wallet and origin. Further requests return the last one again. */
const MAX_PER_WALLET = 4
const MINUTE_MS = 60_000
/** The portal's host and the services host. */
const ORIGINS = 2
/**
 * Messages that a proof is compared with: as many as one network can have for a wallet, so that messages requested by others never hide the
 * owner's.
 */
const MAX_COMPARED = ORIGINS * MAX_PER_WALLET * (SIGN_IN_MESSAGE_LIFE / MINUTE_MS)

interface MessageRequest {
  purpose: Purpose
  /** Undefined: any wallet of the chain. */
  wallet: WalletAddress | undefined
  /** The account to link; undefined: sign in. */
  user: { id: number; uid: string } | undefined
  lang: Lang
  ip: string
  /** Origin at which the user uses the portal. */
  origin: string
}

/**
 * Creates and stores a message that a wallet signs. Does not create an account.
 * @throws AppError tooManySignInMessages
 */
export async function issueSignInMessage(
  context: Deps,
  { purpose, wallet, user, lang, ip, origin }: MessageRequest,
): Promise<string> {
  const at = now(context)
  const network = clientNetworkOf(ip)
  const key: MessageKey = { purpose, userId: user?.id ?? null, address: wallet?.address ?? '' }
  return context.db.transaction(async (tx) => {
    await advisoryLock(tx, `nonces from ${network}`)
    const all = await findRecentMessages(tx, key, network, ago(at, MINUTE_MS))
    const recent = all.filter(({ text }) => isMessageFor(text, domainOf(origin)))
    const [newest] = recent
    if (newest && recent.length >= MAX_PER_WALLET) return newest.text
    if ((await countMessages(tx, purpose, network, at)) >= MAX_PER_NETWORK) throw new AppError('tooManySignInMessages')
    const id = randomBytes(16).toString('hex')
    const expires = new Date(at.getTime() + SIGN_IN_MESSAGE_LIFE)
    const text = messageText({
      purpose,
      wallet,
      account: user?.uid,
      nonce: id,
      portal: origin,
      issued: at,
      expires,
      lang,
    })
    await insertMessage(tx, key, { id, text, network, at, expiresAt: expires })
    return text
  })
}

export interface VerifiedProof {
  /** Null if the address is recovered from the signature. */
  publicKey: Uint8Array | null
  /** Uses up the message in the caller's transaction. @throws AppError signInMessageExpired if it was used meanwhile */
  use(tx: Db): Promise<void>
}

/**
 * Finds the signed message among those for this wallet, purpose, account and origin.
 * @throws AppError walletSignature if the signature matches none of them, signInMessageExpired if there is none
 */
export async function checkProof(
  context: Deps,
  {
    purpose,
    wallet,
    user,
    ip,
    origin,
  }: Pick<MessageRequest, 'purpose' | 'user' | 'ip' | 'origin'> & { wallet: WalletAddress },
  proof: Proof,
): Promise<VerifiedProof> {
  const read = readProof(wallet, proof)
  if (!read) throw new AppError('walletSignature')
  const at = now(context)
  const key: MessageKey = { purpose, userId: user?.id ?? null, address: wallet.address }
  const messages = await findValidMessages(context.db, key, clientNetworkOf(ip), at, MAX_COMPARED)
  if (messages.length === 0) throw new AppError('signInMessageExpired')
  const domain = domainOf(origin)
  for (const { id, text } of messages) {
    if (!isMessageFor(text, domain)) continue
    if (wallet.kind === 'evm' && !isSiweFor(text, { address: wallet.address, domain, nonce: id, time: at })) continue
    if (!(await read.matches(text))) continue
    return {
      publicKey: read.publicKey,
      async use(tx) {
        if ((await useMessage(tx, id, now(context))) === 0) throw new AppError('signInMessageExpired')
      },
    }
  }
  throw new AppError('walletSignature')
}
