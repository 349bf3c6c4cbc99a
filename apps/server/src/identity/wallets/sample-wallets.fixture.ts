import { randomBytes } from 'node:crypto'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import type { Lang } from '@tidenet/contract'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { adr36 } from './proofs.ts'

/** For tests: wallets with real keys. */

export interface SampleWallet {
  address: string
  /** Hex; empty for 0x wallets. */
  publicKey: string
  /** Signs a text, hex. `signer`: another address to put into the signed document. */
  sign(text: string, signer?: string): Promise<string>
}

/** A chain wallet with a new key. */
export function cosmosWallet(prefix = 'tide', key: Uint8Array = randomBytes(32)): SampleWallet {
  const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(key).pubkey)
  const address = toBech32(prefix, rawSecp256k1PubkeyToRawAddress(publicKey))
  return {
    address,
    publicKey: Buffer.from(publicKey).toString('hex'),
    async sign(text, signer = address) {
      const signature = Secp256k1.createSignature(sha256(adr36(signer, text)), key)
      return Buffer.from([...signature.r(32), ...signature.s(32)]).toString('hex')
    },
  }
}

/** A 0x wallet. */
export function evmWallet(): SampleWallet {
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, publicKey: '', sign: (message) => account.signMessage({ message }) }
}

const ORDER = BigInt('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')

/** The malleated signature with the higher S value. */
export function malleated(sign: string): string {
  const hex = sign.replace(/^0x/, '')
  const s = ORDER - BigInt(`0x${hex.slice(64, 128)}`)
  const v = hex.slice(128)
  const flipped = v === '1b' ? '1c' : v === '1c' ? '1b' : v
  return `${sign.startsWith('0x') ? '0x' : ''}${hex.slice(0, 64)}${s.toString(16).padStart(64, '0')}${flipped}`
}

let places = 0
/** A new client network per call, so that limits per network do not interfere. */
export const place = () => ({ ip: `10.36.${(++places >> 8) & 255}.${places & 255}` })

/** What a wallet sends to sign in. */
export async function walletLogin(env: TestEnv, wallet: SampleWallet, from: { ip?: string } = place()) {
  const { data } = await env.call('wallets.loginNonce', { username: wallet.address }, from)
  const { address: username, publicKey } = wallet
  return { username, publicKey, sign: await wallet.sign(data.code) }
}

/** What a wallet sends to be linked to the account of a token. */
export async function walletProof(env: TestEnv, wallet: SampleWallet, token: string) {
  const { address, publicKey } = wallet
  const { data } = await env.call('wallets.bindNonce', { address }, { ...place(), token })
  return { address, publicKey, sign: await wallet.sign(data.code) }
}

/** Links a wallet to the account of a token. */
export async function linkSample(env: TestEnv, wallet: SampleWallet, token: string, lang: Lang = 'en') {
  const proof = await walletProof(env, wallet, token)
  return env.call(wallet.publicKey ? 'wallets.bindKeplr' : 'wallets.bindEvm', proof, { ...place(), token, lang })
}
