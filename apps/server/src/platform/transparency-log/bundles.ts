import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import type { Stated } from '@tidenet/receipts'

/**
 * Claims of many receipts as bytes. Values of one claim are compressed together, because they resemble each other: a CID takes 34 bytes
 * instead of 40, most numbers less than one.
 */

/** A receipt in a bundle; its index follows from its place. */
export interface Entry {
  id: number
  /** When it was issued, unix seconds. */
  iat: number
  claims: Stated
}

const compress = promisify(deflateRaw)

/** Names of the claims of an entry, in the order in which they are signed. */
type Shape = readonly string[]

const LENGTH_BYTES = 4

export async function packBundle(entries: readonly Entry[]): Promise<Buffer> {
  const shapes = new Map<string, number>()
  const columns = new Map<string, unknown[]>()
  const shapeOf = entries.map(({ claims }) => {
    const shape = JSON.stringify(Object.keys(claims))
    if (!shapes.has(shape)) shapes.set(shape, shapes.size)
    for (const [name, value] of Object.entries(claims)) {
      const column = columns.get(name) ?? []
      columns.set(name, column)
      column.push(value)
    }
    return shapes.get(shape)
  })
  const texts = [
    JSON.stringify([...shapes.keys()].map((shape) => JSON.parse(shape))),
    columnText(shapeOf),
    columnText(entries.map(({ id }) => id)),
    columnText(entries.map(({ iat }) => iat)),
    ...[...columns.values()].map(columnText),
  ]
  const parts = await Promise.all(texts.map((text) => compress(text, { level: 9 })))
  return Buffer.concat(parts.flatMap((part) => [lengthOf(part), part]))
}

export function unpackBundle(bytes: Buffer): Entry[] {
  const texts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at)
    texts.push(inflateRawSync(bytes.subarray(at + LENGTH_BYTES, end)).toString())
    at = end
  }
  const [shapesText = '', shapeOf = '', ids = '', iats = '', ...rest] = texts
  const shapes = JSON.parse(shapesText) as Shape[]
  const names = [...new Set(shapes.flat())]
  const next = new Map(names.map((name, at) => [name, valuesOf(rest[at] ?? '')[Symbol.iterator]()]))
  const [idOf, iatOf] = [valuesOf(ids), valuesOf(iats)]
  return valuesOf(shapeOf).map((shape, at) => ({
    id: idOf[at] as number,
    iat: iatOf[at] as number,
    claims: Object.fromEntries(
      (shapes[shape as number] ?? []).map((name) => [name, next.get(name)?.next().value]),
    ) as never,
  }))
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(part.length)
  return length
}

/** Numbers as differences, plain words without quotation marks, anything else as JSON. */
function columnText(values: readonly unknown[]): string {
  if (values.every((value) => Number.isSafeInteger(value)))
    return `n${(values as number[]).map((value, at) => value - ((values[at - 1] as number | undefined) ?? 0)).join()}`
  if (values.every((value) => typeof value === 'string' && /^[\w:.-]*$/.test(value))) return `s${values.join()}`
  return `j${JSON.stringify(values)}`
}

function valuesOf(text: string): unknown[] {
  const body = text.slice(1)
  if (text[0] === 'j') return JSON.parse(body) as unknown[]
  const words = body.split(',')
  if (text[0] === 's') return words
  let sum = 0
  return words.map((word) => {
    sum += Number(word)
    return sum
  })
}
