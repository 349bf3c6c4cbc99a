import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRawSync } from 'node:zlib'
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
/** Claims take up to this many times the space of the bundle, so that most are inflated into one buffer. */
const INFLATES_TO = 3

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
  const texts = [shapeOf, entries.map(({ id }) => id), entries.map(({ iat }) => iat), ...columns.values()].map(
    columnText,
  )
  const lines = [`[${[...shapes.keys()].join()}]`, ...texts]
  // One stream, so that one inflation reads it, with a Huffman code of its own for each column of words.
  const pieces = piecesOf(lines).map((piece, at, { length }) =>
    compress(at === length - 1 ? piece : `${piece}\n`, {
      level: 9,
      finishFlush: at === length - 1 ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    }),
  )
  const stream = Buffer.concat(await Promise.all(pieces))
  return Buffer.concat([lengthOf(stream), stream])
}

/** Lines that are compressed together: numbers that follow one another, or one column of words. */
function piecesOf(lines: readonly string[]): string[] {
  const pieces: string[] = []
  const isNumbers = (line = '') => line.startsWith('n') || line === lines[0]
  for (const [at, line] of lines.entries())
    if (at > 0 && isNumbers(line) && isNumbers(lines[at - 1])) pieces.push(`${pieces.pop()}\n${line}`)
    else pieces.push(line)
  return pieces
}

export function unpackBundle(bytes: Buffer): Entry[] {
  const { ids, iats, shapeOf, shapes, columns } = open(bytes)
  const [idOf, shapeAt] = [valuesOf(ids), valuesOf(shapeOf) as number[]]
  const next = new Map([...columns].map(([name, column]) => [name, valuesOf(column())[Symbol.iterator]()]))
  const iatOf = valuesOf(iats())
  return shapeAt.map((shape, at) => ({
    id: idOf[at] as number,
    iat: iatOf[at] as number,
    claims: claimsOf(shapes[shape], (name) => next.get(name)?.next().value),
  }))
}

/** One entry, without reading the others; its place in the bundle. */
export function findEntry(bytes: Buffer, id: number): (Entry & { place: number }) | undefined {
  const { ids, iats, shapeOf, shapes, columns } = open(bytes)
  const place = placeOf(ids, id)
  if (place === undefined) return undefined
  const claims = claimsOf(shapes[valueAt(shapeOf, place) as number], (name) => {
    const having = shapes.map((shape) => shape.includes(name))
    const row = having.every(Boolean)
      ? place
      : (valuesOf(shapeOf) as number[]).slice(0, place).filter((shape) => having[shape]).length
    return valueAt(columns.get(name)?.() ?? '', row)
  })
  return { id, iat: valueAt(iats(), place) as number, claims, place }
}

/** In bundles of earlier versions, columns of words are parts of their own; an empty line stands for each. */
function open(bytes: Buffer) {
  const parts: (() => string)[] = []
  for (let at = 0; at < bytes.length; ) {
    const [from, to] = [at + LENGTH_BYTES, at + LENGTH_BYTES + bytes.readUInt32BE(at)]
    parts.push(() =>
      inflateRawSync(bytes.subarray(from, to), { chunkSize: Math.max(1024, INFLATES_TO * (to - from)) }).toString(),
    )
    at = to
  }
  const [shapesText = '[]', ...lines] = (parts.shift() ?? none)().split('\n')
  const texts = lines.map((line) => (line === '' ? (parts.shift() ?? none) : () => line))
  const [shapeOf = none, ids = none, iats = none, ...rest] = texts
  const shapes = JSON.parse(shapesText) as Shape[]
  const columns = new Map([...new Set(shapes.flat())].map((name, at) => [name, rest[at] ?? none]))
  return { shapes, shapeOf: shapeOf(), ids: ids(), iats, columns }
}

const none = () => ''

const claimsOf = (shape: Shape = [], read: (name: string) => unknown) =>
  Object.fromEntries(shape.map((name) => [name, read(name)])) as Entry['claims']

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

/** The same value as `valuesOf(text)[place]`, without reading the others. */
function valueAt(text: string, place: number): unknown {
  if (text[0] === 'n') return findSum(text, (_, at) => at === place)?.sum
  if (text[0] === 'j') return valuesOf(text)[place]
  let from = 1
  for (let at = 0; at < place; at++) from = text.indexOf(',', from) + 1
  const to = text.indexOf(',', from)
  return text.slice(from, to < 0 ? undefined : to)
}

const placeOf = (ids: string, id: number): number | undefined => findSum(ids, (sum) => sum === id)?.at

const [COMMA, MINUS, ZERO] = [',', '-', '0'].map((char) => char.charCodeAt(0)) as [number, number, number]

/** The first number of a column that is wanted. */
function findSum(text: string, isWanted: (sum: number, at: number) => boolean) {
  let [sum, at, difference, sign] = [0, 0, 0, 1]
  for (let char = 1; char <= text.length; char++) {
    const code = char === text.length ? COMMA : text.charCodeAt(char)
    if (code === MINUS) sign = -1
    else if (code !== COMMA) difference = difference * 10 + (code - ZERO)
    else {
      sum += sign * difference
      if (isWanted(sum, at)) return { sum, at }
      at++
      difference = 0
      sign = 1
    }
  }
  return undefined
}
