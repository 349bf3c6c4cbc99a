/** Parses messages strictly, as a Rust contract does: one known variant with exactly its fields. */

export function readVariant(message: unknown, known: readonly string[]): [name: string, body: Record<string, unknown>] {
  const entries = typeof message === 'object' && message !== null ? Object.entries(message) : []
  const [first] = entries
  if (!first || entries.length !== 1) throw new Error('Error parsing into type: expected one variant')
  const [name, body] = first as [string, unknown]
  if (!known.includes(name))
    throw new Error(
      `Error parsing into type: unknown variant \`${name.slice(0, 60)}\`, expected one of ${known.map((each) => `\`${each}\``).join(', ')}`,
    )
  if (typeof body !== 'object' || body === null) throw new Error('Error parsing into type: invalid type')
  return [name, body as Record<string, unknown>]
}

type Reader<T> = (value: unknown, field: string) => T

/** Parses the fields of a message; refuses missing, invalid and unknown ones. */
export function strictFields<T extends Record<string, Reader<unknown>>>(
  body: Record<string, unknown>,
  readers: T,
): { [K in keyof T]: ReturnType<T[K]> } {
  for (const name of Object.keys(body))
    if (!(name in readers)) throw new Error(`Error parsing into type: unknown field \`${name.slice(0, 60)}\``)
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => {
      if (!(name in body) && !('optional' in read))
        throw new Error(`Error parsing into type: missing field \`${name}\``)
      return [name, read(body[name], name)]
    }),
  ) as { [K in keyof T]: ReturnType<T[K]> }
}

export const text: Reader<string> = (value, field) => {
  if (typeof value !== 'string') throw new Error(`Error parsing into type: \`${field}\` is no text`)
  return value
}

/** An unsigned 128-bit integer as a string. */
export const uint: Reader<bigint> = (value, field) => {
  if (typeof value !== 'string' || !/^\d{1,39}$/.test(value) || BigInt(value) >= 1n << 128n)
    throw new Error(`Error parsing into type: \`${field}\` is no unsigned number`)
  return BigInt(value)
}

/** An integer from 0 to 2^32 - 1. */
export const number: Reader<number> = (value, field) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffffffff)
    throw new Error(`Error parsing into type: \`${field}\` is no whole number`)
  return value
}

/** An optional field. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  const reader: Reader<T | undefined> = (value, field) =>
    value === undefined || value === null ? undefined : read(value, field)
  return Object.assign(reader, { optional: true })
}
