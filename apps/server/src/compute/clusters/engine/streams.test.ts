import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { demultiplex, demultiplexer, joinStreams } from './streams.ts'

const piece = (which: number, content: string) => {
  const header = Buffer.alloc(8)
  header.writeUInt8(which)
  header.writeUInt32BE(Buffer.byteLength(content), 4)
  return Buffer.concat([header, Buffer.from(content)])
}
const both = Buffer.concat([piece(1, 'out 输出\n'), piece(2, ''), piece(2, 'err\n')])

it('removes the headers of multiplexed output', () => expect(demultiplex(both)).toBe('out 输出\nerr\n'))

it.each([1, 3, 8, 1000])('removes headers from pieces of %i bytes', async (size) => {
  const pieces = Array.from({ length: Math.ceil(both.length / size) }, (_, at) =>
    both.subarray(at * size, (at + 1) * size),
  )
  expect(await text(Readable.from(pieces).pipe(demultiplexer()))).toBe('out 输出\nerr\n')
})

it('a joined stream ends with its connection, without an error', async () => {
  const connection = new PassThrough()
  const stream = joinStreams(connection, connection)
  stream.write('there and back')
  stream.end()
  expect(await text(stream)).toBe('there and back')
  const broken = new PassThrough()
  const other = joinStreams(broken, broken.pipe(new PassThrough()))
  broken.destroy(new Error('cut off'))
  expect(await text(other)).toBe('')
})
