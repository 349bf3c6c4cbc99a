import { BinaryReader } from 'cosmjs-types/binary'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'

/** Base accounts in vesting accounts are wrapped twice, in those of some chains once more. */
const DEEPEST = 4

/**
 * Number and sequence of an account of any type. Every type of the Cosmos SDK, and of chains that are made with it, either is a
 * `BaseAccount` or has one, or another such type, in its first field. Only the codec of that one is loaded.
 * @param bytes of the message in a `google.protobuf.Any`
 * @throws Error if there is no `BaseAccount` of this address in it
 */
export function numbersOf(bytes: Uint8Array, address: string): { number: number; sequence: number } {
  let inner: Uint8Array | undefined = bytes
  for (let depth = 0; inner && depth < DEEPEST; depth++) {
    const first = firstField(inner)
    if (first && new TextDecoder().decode(first).toLowerCase() === address.toLowerCase()) {
      const { accountNumber, sequence } = BaseAccount.decode(inner)
      return { number: Number(accountNumber), sequence: Number(sequence) }
    }
    inner = first
  }
  throw new Error(`the account ${address} is of an unknown type`)
}

/** Its bytes; undefined if it is missing or has no length. */
function firstField(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new BinaryReader(bytes)
  return reader.len > 0 && reader.uint32() === 10 ? reader.bytes() : undefined
}
