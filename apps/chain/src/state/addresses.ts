import { createHash } from 'node:crypto'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import type { Settings } from '../settings.ts'
import { refuse } from './refusal.ts'

/** Bech32 with the chain's prefix, in lower case. */
export type Address = string

/** The longest text that is looked at. Without a limit of its own the decoder refuses every address. */
const LONGEST = 1023

/** Checks an address of an account or a contract. */
export function readAddress({ prefix }: Pick<Settings, 'prefix'>, text: string): Address {
  try {
    const { prefix: found, data } = fromBech32(text, LONGEST)
    if (found === prefix && (data.length === 20 || data.length === 32)) return text.toLowerCase()
  } catch {
    // Said below.
  }
  throw refuse.address(`decoding bech32 failed: ${text.slice(0, 100)}`)
}

export const addressOf = ({ prefix }: Pick<Settings, 'prefix'>, publicKey: Uint8Array): Address =>
  toBech32(prefix, rawSecp256k1PubkeyToRawAddress(publicKey))

/** Where the nth contract of the chain lives. */
export const contractAddress = ({ prefix }: Pick<Settings, 'prefix'>, code: number, instance: number): Address =>
  toBech32(prefix, createHash('sha256').update(`contract/${code}/${instance}`).digest())
