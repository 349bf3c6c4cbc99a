import { createHash } from 'node:crypto'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import type { Settings } from '../settings.ts'
import { refuse } from './refusal.ts'

/** Bech32 with the chain's prefix, lower case. */
export type Address = string

/** Longest address accepted. Without an explicit limit the decoder refuses every address. */
const ADDRESS_MAX = 1023

/** Prefix and bytes of an address. @throws if it is none */
export const decodeAddress = (text: string) => fromBech32(text, ADDRESS_MAX)

/** Validates an address of an account or a contract. */
export function readAddress({ prefix }: Pick<Settings, 'prefix'>, text: string): Address {
  try {
    const { prefix: found, data } = decodeAddress(text)
    if (found === prefix && (data.length === 20 || data.length === 32)) return text.toLowerCase()
  } catch {
    // Refused below.
  }
  throw refuse.address(`decoding bech32 failed: ${text.slice(0, 100)}`)
}

export const addressOf = ({ prefix }: Pick<Settings, 'prefix'>, publicKey: Uint8Array): Address =>
  toBech32(prefix, rawSecp256k1PubkeyToRawAddress(publicKey))

/** Address of an account that belongs to a module of the Cosmos SDK, such as `fee_collector`. */
export const moduleAddress = ({ prefix }: Pick<Settings, 'prefix'>, module: string): Address =>
  toBech32(prefix, createHash('sha256').update(module).digest().subarray(0, 20))

/** Address of the nth contract of the chain. */
export const contractAddress = ({ prefix }: Pick<Settings, 'prefix'>, code: number, instance: number): Address =>
  toBech32(prefix, createHash('sha256').update(`contract/${code}/${instance}`).digest())
