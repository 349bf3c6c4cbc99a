import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'

/** Encodes gas queries by hand: the generated codecs of the tx service import those of blocks, which browsers would have to load. */

/** `SimulateRequest`: the bytes of the transaction are its field 2. */
export const simulateRequest = (txBytes: Uint8Array): Uint8Array =>
  BinaryWriter.create().uint32(18).bytes(txBytes).finish()

/** `SimulateResponse`: its field 1 is a `GasInfo`, of which field 2 is the gas that was used. */
export function gasUsedIn(response: Uint8Array): number | undefined {
  const info = fieldOf(new BinaryReader(response), 1)
  return info && readGas(new BinaryReader(info.bytes()))
}

function readGas(reader: BinaryReader): number | undefined {
  const used = fieldOf(reader, 2)
  return used && Number(used.uint64())
}

/** The reader at the value of a field; undefined if the field is missing. */
function fieldOf(reader: BinaryReader, field: number): BinaryReader | undefined {
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === field) return reader
    reader.skipType(tag & 7)
  }
  return undefined
}

/** The price of one coin in a list such as `0.025utide,0.1uother`. */
export function priceIn(prices: string, denom: string): number | undefined {
  for (const each of prices.split(',')) {
    const [, price, coin] = /^\s*(\d+(?:\.\d+)?)([a-zA-Z].*?)\s*$/.exec(each) ?? []
    if (coin === denom) return Number(price)
  }
  return undefined
}
