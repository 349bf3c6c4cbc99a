import { expect, it } from 'vitest'
import { nameIn } from './file-name.ts'

it.each([
  [`attachment; filename="___.srt"; filename*=UTF-8''${encodeURIComponent('会议.srt')}`, '会议.srt'],
  [`attachment; filename*=utf-8''a%20%27b%27%20%281%29.txt`, "a 'b' (1).txt"],
])('reads the extended name in %s', (disposition, name) => expect(nameIn(disposition)).toBe(name))

it.each(['', 'attachment', "attachment; filename*=UTF-8''%", "attachment; filename*=UTF-8''"])(
  'has a name of its own for “%s”',
  (disposition) => expect(nameIn(disposition)).toBe('transcript'),
)
