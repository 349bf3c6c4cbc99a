import { z } from 'zod'
import { msg, nothing, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** `cosmos`: an address of the network's own chain; `evm`: an address that begins with 0x. */
export const WALLET_KINDS = ['cosmos', 'evm'] as const
export type WalletKind = (typeof WALLET_KINDS)[number]

/** Of the network's chain (bech32) or 0x and 40 hex digits; the server looks closer. */
export const walletAddress = z
  .string({ error: refuse('walletAddress') })
  .trim()
  .min(1, refuse('walletAddress'))
  .max(128, refuse('walletAddress'))

/** Bytes as hex or base64, told apart by their length: a signature has 64 bytes (65 with 0x wallets), a key 33. */
export const walletBytes = plain(400)

/** Text that the wallet signs as it is: by ADR-36 for the network's chain, by personal_sign for 0x. */
const nonce = z.object({ code: z.string() })

const proof = { address: walletAddress, sign: walletBytes }

/** What `bindKeplr`, `bindWallet` and `bindEvm` refuse alike. */
const bindErrors = [
  'walletAddress',
  'walletSignature',
  'nonceExpired',
  'walletTaken',
  'walletBound',
  'walletCooldown',
  'proofNeeded',
] as const

export const wallets = {
  loginNonce: route({
    method: 'GET',
    path: '/api/v1/storage/login_before',
    aliases: ['/api/v2/login_before'],
    auth: 'public',
    input: z.object({ username: walletAddress }),
    output: nonce,
    errors: ['walletAddress', 'tooManyNonces'],
    limit: 60,
    summary: 'The text that a wallet signs to sign in, valid once within five minutes',
  }),
  bindNonce: route({
    method: 'GET',
    path: '/api/v1/platform/bind_nonce',
    auth: 'session',
    input: z.object({ address: walletAddress }),
    output: nonce,
    errors: ['walletAddress', 'tooManyNonces'],
    limit: 60,
    summary: 'The text that a wallet signs to be bound to the account, valid once within five minutes',
  }),
  bindKeplr: route({
    method: 'POST',
    path: '/api/v1/platform/bind_keplr',
    auth: 'session',
    input: z.object({ ...proof, publicKey: walletBytes }),
    output: msg,
    errors: bindErrors,
    limit: 60,
    summary:
      'Binds a wallet of the chain, soon after signing in or a proof: one wallet of each kind, and each wallet to one account',
  }),
  /** For clients that ask before they know the address; a text of `bindNonce` is taken by `bindWallet` as well. */
  ecologyCode: route({
    method: 'GET',
    path: '/api/v1/ecology/wallet_code',
    auth: 'session',
    input: nothing,
    output: nonce,
    errors: ['tooManyNonces'],
    limit: 60,
    summary: 'The text that a wallet of the chain signs for `bind_wallet`; names the account and no address',
  }),
  /** The same binding as `bindKeplr`. Values are hex of the bytes, or hex of their base64 text. */
  bindWallet: route({
    method: 'POST',
    path: '/api/v1/ecology/bind_wallet',
    auth: 'session',
    input: z.object({
      ...proof,
      publicKey: walletBytes,
      /** Which extension signed; plays no part in the proof. */
      isTitan: z.union([z.boolean(), z.number(), z.string().max(20)]).optional(),
    }),
    output: msg,
    errors: bindErrors,
    limit: 60,
    summary: 'Binds a wallet of the chain, soon after signing in or a proof; signature and public key are hex',
  }),
  bindInfo: route({
    method: 'GET',
    path: '/api/v1/platform/bind_info',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Addresses, empty when there is none. */
      keplr: z.string(),
      evm: z.string(),
      /** The e-mail address of the account, empty when it has none. */
      email: z.string(),
      wallets: z.array(z.object({ address: z.string(), kind: z.enum(WALLET_KINDS), bound_at: z.string() })),
      /** RFC 3339: from when on another wallet of the kind can be bound, after one was unbound; empty: at once. */
      change_at: z.object({ cosmos: z.string(), evm: z.string() }),
      /** Whether unbinding is possible: the only way into an account cannot be given up. */
      may_unbind: z.boolean(),
    }),
    errors: [],
    summary: 'The wallets of the account',
  }),
  bindEvm: route({
    method: 'POST',
    path: '/api/v2/wallet/bind',
    auth: 'session',
    input: z.object(proof),
    output: msg,
    errors: bindErrors,
    limit: 60,
    summary: 'Binds a 0x wallet by the signed text of `bind_nonce`, soon after signing in or a proof',
  }),
  unbind: route({
    method: 'POST',
    path: '/api/v2/wallet/unbind',
    auth: 'session',
    input: z.object({
      /** Absent: the 0x wallet, or else the only one. */
      address: walletAddress.optional(),
    }),
    output: msg,
    errors: ['walletAddress', 'walletUnknown', 'lastWayIn', 'proofNeeded'],
    limit: 60,
    summary: 'Unbinds a wallet, soon after signing in or a proof; for a day neither it nor the account goes to another',
  }),
}
