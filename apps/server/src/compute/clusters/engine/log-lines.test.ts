import { expect, it } from 'vitest'
import { linesOf } from './stats.ts'

const frame = (output: number, content: string | Buffer) => {
  const header = Buffer.alloc(8)
  header.writeUInt8(output)
  header.writeUInt32BE(Buffer.byteLength(content), 4)
  return Buffer.concat([header, Buffer.from(content)])
}
const AT = '2026-11-27T19:10:37Z'
const textsOf = (...frames: Buffer[]) => linesOf(Buffer.concat(frames)).map(({ text }) => text)

it('a log has the lines of both outputs, with their times', () => {
  const lines = linesOf(Buffer.concat([frame(1, `${AT} one\n`), frame(2, '2026-11-27T19:10:38.5Z two\r\n')]))
  expect(lines).toEqual([
    { at: new Date('2026-11-27T19:10:37Z'), written: '2026-11-27T19:10:37.000000000Z', text: 'one' },
    { at: new Date('2026-11-27T19:10:38.500Z'), written: '2026-11-27T19:10:38.500000000Z', text: 'two' },
  ])
})

it('a line that was written in pieces is one line, whatever lies between them', () => {
  expect(textsOf(frame(1, `${AT} line`), frame(2, `${AT} other\n`), frame(1, `${AT}  1817\n`))).toEqual([
    'other',
    'line 1817',
  ])
  const [head, tail] = [Buffer.from('输').subarray(0, 1), Buffer.from('输').subarray(1)]
  const cut = [
    frame(1, Buffer.concat([Buffer.from(`${AT} `), head])),
    frame(1, Buffer.concat([Buffer.from(`${AT} `), tail])),
  ]
  expect(textsOf(...cut)).toEqual(['输'])
})

it('a frame can have several lines, and a line can be empty or look like a time', () => {
  expect(textsOf(frame(1, `${AT} a\n${AT} \n${AT} ${AT} b\n`))).toEqual(['a', '', `${AT} b`])
})

it('a line is written when its last piece is, so that what was read tells what is new', () => {
  const slow = [frame(1, `${AT} sl`), frame(2, '2026-11-27T20:10:38.1+01:00 quick\n')]
  const [quick, line] = linesOf(Buffer.concat([...slow, frame(1, '2026-11-27T19:10:39.000000001Z ow\n')]))
  expect(quick?.written).toBe('2026-11-27T19:10:38.100000000Z')
  expect(line).toEqual({ at: new Date(AT), written: '2026-11-27T19:10:39.000000001Z', text: 'slow' })
})

it('what has no time is left out', () => expect(textsOf(frame(1, 'rubbish\n'), frame(1, ''))).toEqual([]))
