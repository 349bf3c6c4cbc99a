import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'

/** Encodes gas queries by hand: the generated codecs of the tx service import those of blocks, which browsers would have to load. */

/** `SimulateRequest`: field 2 has the bytes of the transaction. */
export const simulateRequest = (txBytes: Uint8Array): Uint8Array =>
  BinaryWriter.create().uint32(18).bytes(txBytes).finish()

/** `SimulateResponse`: field 1 is a `GasInfo`, whose field 2 is the gas used. */
export function gasUsedIn(response: Uint8Array): number | undefined {
  const info = fieldOf(new BinaryReader(response), 1)
  return info && readGas(new BinaryReader(info.bytes()))
}

function readGas(reader: BinaryReader): number | undefined {
  const used = fieldOf(reader, 2)
  return used && Number(used.uint64())
}

/** The reader positioned at a field's value; undefined if the field is missing. */
function fieldOf(reader: BinaryReader, field: number): BinaryReader | undefined {
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === field) return reader
    reader.skipType(tag & 7)
  }
  return undefined
}

/** The price in one coin from a list such as `0.025utide,0.1uother`. */
export function priceIn(prices: string, denom: string): number | undefined {
  for (const each of prices.split(',')) {
    const [, price, coin] = /^\s*(\d+(?:\.\d+)?)([a-zA-Z].*?)\s*$/.exec(each) ?? []
    if (coin === denom) return Number(price)
  }
  return undefined
}
