import { toUtf8 } from '@cosmjs/encoding'

/** Modules of wasm, byte by byte: contracts that no compiler would make. */

const I32 = 0x7f
const CALL_ITSELF = [0x20, 0, 0x20, 0, 0x20, 0, 0x10]
export const UNREACHABLE = [0x00]
/** Where a module keeps the region of what it returns, and of what it is given. */
export const RESULT = 100
const GIVEN = 1000

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
const list = (items: number[][]): number[] => [...unsigned(items.length), ...items.flat()]
const sized = (bytes: number[]): number[] => [...unsigned(bytes.length), ...bytes]
const name = (text: string): number[] => sized([...toUtf8(text)])
const section = (id: number, items: number[][]): number[] => [id, ...sized(list(items))]
const little = (value: number): number[] => [0, 8, 16, 24].map((bits) => (value >>> bits) & 0xff)

/** Offset, capacity and length. */
export const region = (...fields: [number, number, number]): number[] => fields.flatMap(little)
/** Code that returns a number. */
export const constant = (value: number): number[] => [0x41, ...signed(value)]

/**
 * @param execute code of its entry point
 * @param data bytes by their place in its memory of one page
 * @param missing name of a function that it expects of its host
 */
export function moduleOf(execute: number[], data: Record<number, number[]> = {}, missing?: string): Uint8Array {
  const code = (body: number[]) => sized([0, ...body, 0x0b])
  const bytes = Object.entries({ [GIVEN]: region(2000, 60_000, 0), ...data })
  const first = missing === undefined ? 0 : 1
  const exported = ['interface_version_8', 'allocate', 'deallocate', 'execute']
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [
      [0x60, 0, 0],
      [0x60, 1, I32, 1, I32],
      [0x60, 1, I32, 0],
      [0x60, 3, I32, I32, I32, 1, I32],
    ]),
    ...(missing === undefined ? [] : section(2, [[...name('env'), ...name(missing), 0, 0]])),
    ...section(3, [[0], [1], [2], [3]]),
    ...section(5, [[0, 1]]),
    ...section(7, [[...name('memory'), 2, 0], ...exported.map((each, index) => [...name(each), 0, index + first])]),
    ...section(10, [code([]), code(constant(GIVEN)), code([]), code(execute)]),
    ...section(
      11,
      bytes.map(([at, content]) => [0, ...constant(Number(at)), 0x0b, ...sized(content)]),
    ),
  ])
}

/** Code of `execute` that calls itself without an end. */
export const ENDLESS_CALLS = [...CALL_ITSELF, 3]

/** The data of a module whose `execute` returns this text. */
export const returning = (text: string): Record<number, number[]> => {
  const bytes = [...toUtf8(text)]
  return { [RESULT]: region(200, bytes.length, bytes.length), 200: bytes }
}
