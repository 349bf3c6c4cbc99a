import { expect, it } from 'vitest'
import { noteOf, noteText } from './notes.ts'

it('is shown in the language of the reader, with its details', () => {
  const note = noteOf('platform', 'linux/arm64', 'linux/amd64')
  const [en, cn] = [noteText(note, 'en'), noteText(note, 'cn')]
  for (const text of [en, cn]) expect(text).toMatch(/linux\/arm64.*linux\/amd64/)
  expect(en).not.toBe(cn)
})

it.each(['What an engine says', '["toString"]', '["unknown", "a"]', '["path', '[]', ''])(
  'is unchanged if it is no note: %s',
  (text) => expect(noteText(text, 'en')).toBe(text),
)

it('is a text, whatever the details are', () => {
  expect(noteText('["source", {"a": 1}]', 'cn')).toBeTypeOf('string')
  expect(noteText('["path"]', 'cn')).toBeTypeOf('string')
})
