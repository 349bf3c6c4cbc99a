import { z } from 'zod'
import { msg, nothing, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** `cosmos`: an address of the network's own chain; `evm`: an address that begins with 0x. */
export const WALLET_KINDS = ['cosmos', 'evm'] as const
export type WalletKind = (typeof WALLET_KINDS)[number]

/** Bech32 address of the chain, or 0x and 40 hex digits; the server validates it. */
export const walletAddress = z
  .string({ error: refuse('walletAddress') })
  .trim()
  .min(1, refuse('walletAddress'))
  .max(128, refuse('walletAddress'))

/** Hex or base64, distinguished by length: a signature has 64 bytes (65 for 0x wallets), a public key 33. */
export const walletBytes = plain(400)

/** Sign-in message, signed unchanged: with ADR-36 for wallets of the chain, with personal_sign for 0x wallets. */
const nonce = z.object({ code: z.string() })

const proof = { address: walletAddress, sign: walletBytes }

/** Errors of `bindKeplr`, `bindWallet` and `bindEvm`. */
const bindErrors = [
  'walletAddress',
  'walletSignature',
  'signInMessageExpired',
  'walletTaken',
  'walletAlreadyLinked',
  'walletCooldown',
  'recentAuthRequired',
] as const

export const wallets = {
  loginNonce: route({
    method: 'GET',
    path: '/api/v1/storage/login_before',
    aliases: ['/api/v2/login_before'],
    auth: 'public',
    input: z.object({ username: walletAddress }),
    output: nonce,
    errors: ['walletAddress', 'tooManySignInMessages'],
    limit: 60,
    summary: 'Returns the message that a wallet signs to sign in, valid once within five minutes',
  }),
  bindNonce: route({
    method: 'GET',
    path: '/api/v1/platform/bind_nonce',
    auth: 'session',
    input: z.object({ address: walletAddress }),
    output: nonce,
    errors: ['walletAddress', 'tooManySignInMessages'],
    limit: 60,
    summary: 'Returns the message that a wallet signs to be linked to the account, valid once within five minutes',
  }),
  bindKeplr: route({
    method: 'POST',
    path: '/api/v1/platform/bind_keplr',
    auth: 'session',
    input: z.object({ ...proof, publicKey: walletBytes }),
    output: msg,
    errors: bindErrors,
    limit: 60,
    summary: 'Links a wallet of the chain (needs recent authentication). An account has one wallet of each kind',
  }),
  /** For clients that do not know the address yet; `bindWallet` also accepts a message of `bindNonce`. */
  ecologyCode: route({
    method: 'GET',
    path: '/api/v1/ecology/wallet_code',
    auth: 'session',
    input: nothing,
    output: nonce,
    errors: ['tooManySignInMessages'],
    limit: 60,
    summary:
      'Returns the message that a wallet of the chain signs for `bind_wallet`; it names the account, not the address',
  }),
  /** Like `bindKeplr`. Values are hex of the bytes, or hex of their base64 text. */
  bindWallet: route({
    method: 'POST',
    path: '/api/v1/ecology/bind_wallet',
    auth: 'session',
    input: z.object({
      ...proof,
      publicKey: walletBytes,
      /** Which extension signed; ignored. */
      isTitan: z.union([z.boolean(), z.number(), z.string().max(20)]).optional(),
    }),
    output: msg,
    errors: bindErrors,
    limit: 60,
    summary: 'Links a wallet of the chain (needs recent authentication); signature and public key are hex',
  }),
  bindInfo: route({
    method: 'GET',
    path: '/api/v1/platform/bind_info',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Addresses; empty if there is none. */
      keplr: z.string(),
      evm: z.string(),
      /** E-mail address of the account; empty if it has none. */
      email: z.string(),
      wallets: z.array(z.object({ address: z.string(), kind: z.enum(WALLET_KINDS), bound_at: z.string() })),
      /** RFC 3339: end of the cooldown after unlinking, by kind; empty: a wallet can be linked now. */
      change_at: z.object({ cosmos: z.string(), evm: z.string() }),
      /** Whether a wallet can be unlinked; the only sign-in method cannot. */
      may_unbind: z.boolean(),
    }),
    errors: [],
    summary: 'Lists the wallets of the account',
  }),
  bindEvm: route({
    method: 'POST',
    path: '/api/v2/wallet/bind',
    auth: 'session',
    input: z.object(proof),
    output: msg,
    errors: bindErrors,
    limit: 60,
    summary: 'Links a 0x wallet with the signed message of `bind_nonce` (needs recent authentication)',
  }),
  unbind: route({
    method: 'POST',
    path: '/api/v2/wallet/unbind',
    auth: 'session',
    input: z.object({
      /** Default: the 0x wallet, or else the only wallet. */
      address: walletAddress.optional(),
    }),
    output: msg,
    errors: ['walletAddress', 'walletUnknown', 'lastWallet', 'recentAuthRequired'],
    limit: 60,
    summary: 'Unlinks a wallet (needs recent authentication). Starts a 24-hour cooldown',
  }),
}
