import { randomBytes } from 'node:crypto'
import { AppError, type Lang, SIGN_IN_MESSAGE_LIFE } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { domainOf, isTextOf, nonceText } from './message-text.ts'
import { isSiweFor, type Proof, readProof, type WalletAddress } from './proofs.ts'
import { countNonces, insertNonce, liveNonces, type NonceKey, recentNonces, useNonce } from './repository.ts'
import type { Purpose } from './texts.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Unused texts of a purpose that one network may hold, for whichever wallets: nobody fills the table. */
const OF_A_NETWORK = 60
/** Unused texts that one network gets in a minute for one wallet and place of the portal; asking more often gives the last one again. */
const OF_A_WALLET = 4
const MINUTE = 60_000
/** The portal's own host and that of its services. */
const ORIGINS = 2
/**
 * Texts that a proof is held against. No fewer than one network can hold for a wallet, so that texts which somebody else
 * asked for never hide the owner's.
 */
const TRIED = ORIGINS * OF_A_WALLET * (SIGN_IN_MESSAGE_LIFE / MINUTE)

interface Ask {
  purpose: Purpose
  /** Undefined: any wallet of the chain. */
  wallet: WalletAddress | undefined
  /** Whom the text binds to; undefined for signing in. */
  user: { id: number; uid: string } | undefined
  lang: Lang
  ip: string
  /** Where the person sees the portal. */
  origin: string
}

/**
 * A text for a wallet to sign. It is kept, so that nobody but the server decides what was signed; no account comes of it.
 * @throws AppError tooManySignInMessages
 */
export async function issueSignInMessage(
  context: Deps,
  { purpose, wallet, user, lang, ip, origin }: Ask,
): Promise<string> {
  const at = now(context)
  const network = clientNetworkOf(ip)
  const key: NonceKey = { purpose, userId: user?.id ?? null, address: wallet?.address ?? '' }
  return context.db.transaction(async (tx) => {
    await advisoryLock(tx, `nonces from ${network}`)
    const all = await recentNonces(tx, key, network, new Date(at.getTime() - MINUTE))
    const recent = all.filter(({ text }) => isTextOf(text, domainOf(origin)))
    const [newest] = recent
    if (newest && recent.length >= OF_A_WALLET) return newest.text
    if ((await countNonces(tx, purpose, network, at)) >= OF_A_NETWORK) throw new AppError('tooManySignInMessages')
    const id = randomBytes(16).toString('hex')
    const expires = new Date(at.getTime() + SIGN_IN_MESSAGE_LIFE)
    const text = nonceText({
      purpose,
      wallet,
      account: user?.uid,
      nonce: id,
      portal: origin,
      issued: at,
      expires,
      lang,
    })
    await insertNonce(tx, key, { id, text, network, at, expiresAt: expires })
    return text
  })
}

/** A proof that fits a living text. */
export interface FittingProof {
  /** Null where the signature alone tells the address. */
  publicKey: Uint8Array | null
  /** Spends the text in the caller's transaction. @throws AppError signInMessageExpired when somebody else just did */
  use(tx: Db): Promise<void>
}

/**
 * Finds the text that a wallet has signed, among those that were made for it, this purpose, this account and this place of the portal.
 * @throws AppError walletSignature when the proof fits none of them, signInMessageExpired when there is none
 */
export async function checkProof(
  context: Deps,
  { purpose, wallet, user, ip, origin }: Pick<Ask, 'purpose' | 'user' | 'ip' | 'origin'> & { wallet: WalletAddress },
  proof: Proof,
): Promise<FittingProof> {
  const read = readProof(wallet, proof)
  if (!read) throw new AppError('walletSignature')
  const at = now(context)
  const key: NonceKey = { purpose, userId: user?.id ?? null, address: wallet.address }
  const live = await liveNonces(context.db, key, clientNetworkOf(ip), at, TRIED)
  if (live.length === 0) throw new AppError('signInMessageExpired')
  const domain = domainOf(origin)
  for (const { id, text } of live) {
    if (!isTextOf(text, domain)) continue
    if (wallet.kind === 'evm' && !isSiweFor(text, { address: wallet.address, domain, nonce: id, time: at })) continue
    if (!(await read.fits(text))) continue
    return {
      publicKey: read.publicKey,
      async use(tx) {
        if ((await useNonce(tx, id, now(context))) === 0) throw new AppError('signInMessageExpired')
      },
    }
  }
  throw new AppError('walletSignature')
}
