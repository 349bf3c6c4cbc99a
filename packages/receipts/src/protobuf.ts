import { concat } from './bytes.ts'

/**
 * Just enough of the protobuf wire format to read and sign a transaction. Stricter than parsers for general use, which accept several forms
 * of a message: two checks of one file must not see different memos.
 */

const VARINT = 0
const BYTES = 2

/** The values of each field: numbers and bytes; other types are not read. Undefined if the bytes are not a message of these. */
export function readFields(message: Uint8Array): Map<number, (bigint | Uint8Array)[]> | undefined {
  const fields = new Map<number, (bigint | Uint8Array)[]>()
  let at = 0
  /** Undefined for a number that ends too early, has more than 64 bits, or could be written with fewer bytes. */
  const varint = (): bigint | undefined => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++]
      if (byte === undefined) return undefined
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return (byte === 0 && shift > 0n) || value >= 1n << 64n ? undefined : value
    }
    return undefined
  }
  while (at < message.length) {
    const tag = varint()
    const value = tag === undefined ? undefined : varint()
    if (tag === undefined || value === undefined) return undefined
    const [number, type] = [Number(tag >> 3n), Number(tag & 7n)]
    const values = fields.get(number) ?? []
    fields.set(number, values)
    if (type === VARINT) {
      values.push(value)
    } else if (type === BYTES && value <= message.length - at) {
      values.push(message.subarray(at, at + Number(value)))
      at += Number(value)
    } else return undefined
  }
  return fields
}

/** The bytes of a field that occurs exactly once; otherwise undefined. */
export function onlyBytes(message: Uint8Array | undefined, field: number): Uint8Array | undefined {
  const values = message && readFields(message)?.get(field)
  return values?.length === 1 && values[0] instanceof Uint8Array ? values[0] : undefined
}

function writeVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Uint8Array.from([...bytes, rest])
}

export const bytesField = (number: number, value: Uint8Array): Uint8Array =>
  concat(writeVarint(number * 8 + BYTES), writeVarint(value.length), value)

/** Empty for 0, the default. */
export const numberField = (number: number, value: number): Uint8Array =>
  value === 0 ? new Uint8Array() : concat(writeVarint(number * 8 + VARINT), writeVarint(value))
