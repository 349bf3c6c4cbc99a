import { randomBytes } from 'node:crypto'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import type { Lang } from '@tidenet/contract'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { adr36 } from './proofs.ts'

/** For tests: wallets that really sign. */

export interface SampleWallet {
  address: string
  /** Hex; empty for 0x wallets. */
  publicKey: string
  /** Hex of the signature of a text, as the wallet's `signer` if somebody else is named. */
  sign(text: string, signer?: string): Promise<string>
}

/** A wallet of the network's chain, with a key of its own. */
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

/** The other signature that verifies alike, which anybody can make of one. */
export function malleated(sign: string): string {
  const hex = sign.replace(/^0x/, '')
  const s = ORDER - BigInt(`0x${hex.slice(64, 128)}`)
  const v = hex.slice(128)
  const flipped = v === '1b' ? '1c' : v === '1c' ? '1b' : v
  return `${sign.startsWith('0x') ? '0x' : ''}${hex.slice(0, 64)}${s.toString(16).padStart(64, '0')}${flipped}`
}

let places = 0
/** Each call from a place of its own, so that no limit of one place hides what is tested. */
export const place = () => ({ ip: `10.36.${(++places >> 8) & 255}.${places & 255}` })

/** What a wallet sends to sign in. */
export async function walletLogin(world: TestEnv, wallet: SampleWallet, from: { ip?: string } = place()) {
  const { data } = await world.call('wallets.loginNonce', { username: wallet.address }, from)
  const { address: username, publicKey } = wallet
  return { username, publicKey, sign: await wallet.sign(data.code) }
}

/** What a wallet sends to be bound to the account of a token. */
export async function walletProof(world: TestEnv, wallet: SampleWallet, token: string) {
  const { address, publicKey } = wallet
  const { data } = await world.call('wallets.bindNonce', { address }, { ...place(), token })
  return { address, publicKey, sign: await wallet.sign(data.code) }
}

/** Binds a wallet to the account of a token. */
export async function linkSample(world: TestEnv, wallet: SampleWallet, token: string, lang: Lang = 'en') {
  const proof = await walletProof(world, wallet, token)
  return world.call(wallet.publicKey ? 'wallets.bindKeplr' : 'wallets.bindEvm', proof, { ...place(), token, lang })
}
