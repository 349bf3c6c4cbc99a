import { expect, it } from 'vitest'
import { contentTexts, type Text, texts, unfetchableTexts } from './texts.ts'

/** All texts, with placeholder facts. */
const all: Text[] = [
  ...Object.values(texts).map((text) =>
    typeof text === 'function' ? (text as (about: never) => Text)([] as never) : text,
  ),
  ...Object.values(contentTexts),
  ...Object.values(unfetchableTexts).map((text) => text('a')),
]

it('every refusal has a text in each language', () => {
  for (const { en, cn } of all) {
    expect(en).toMatch(/^[ -~]+[.]$/)
    expect(cn).toMatch(/[\u4e00-\u9fff].*。$/)
    expect(cn).not.toMatch(/ (the|is|must|not|of) /)
  }
})
