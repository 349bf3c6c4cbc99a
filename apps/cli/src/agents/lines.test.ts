import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { linesOf } from './lines.ts'

const MAX = 10

async function read(...chunks: (string | Uint8Array)[]) {
  const lines: (string | undefined)[] = []
  const bytes = chunks.map((chunk) => Buffer.from(chunk))
  for await (const line of linesOf(Readable.from(bytes), MAX)) lines.push(line)
  return lines
}

describe('lines of standard input', () => {
  it('are the same however they arrive', async () => {
    expect(await read('one\ntwo\r\n\nlast')).toEqual(['one', 'two', '', 'last'])
    expect(await read('o', 'ne\nt', 'wo\r', '\n', '\nlast')).toEqual(['one', 'two', '', 'last'])
    const [first, ...rest] = Buffer.from('潮\n')
    expect(await read(Uint8Array.of(first ?? 0), Uint8Array.from(rest))).toEqual(['潮'])
  })

  it('that are too long are told, and the next ones are read', async () => {
    expect(await read('0123456789\n0123456789a\nnext\n')).toEqual(['0123456789', undefined, 'next'])
    expect(await read('0123456789', 'abc', 'def\nnext')).toEqual([undefined, 'next'])
  })

  it('can be longer than any text in memory', async () => {
    const chunk = Buffer.alloc(64 * 1024 * 1024, 'x')
    const endless = Readable.from(Array.from({ length: 16 }, () => chunk))
    const lines: (string | undefined)[] = []
    for await (const line of linesOf(endless, MAX)) lines.push(line)
    expect(lines).toEqual([undefined])
  })
})
