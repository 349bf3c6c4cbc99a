import { describe, expect, it } from 'vitest'
import { type CodePurpose, codeEmail, escapeHtml } from './templates.ts'

const purposes: CodePurpose[] = ['register', 'login', 'reset', 'node']

describe('the mail of a code', () => {
  it.each(purposes)('shows the code in both bodies and both languages, and nowhere else (%s)', (purpose) => {
    for (const lang of ['en', 'cn'] as const) {
      const letter = codeEmail(lang, purpose, '012345')
      expect(letter.text).toContain('012345')
      expect(letter.html).toContain('012345')
      expect(letter.subject).not.toContain('012345')
      expect(letter.text).toContain('5')
    }
  })

  it('says for each purpose something else, in one language', () => {
    const english = purposes.map((purpose) => codeEmail('en', purpose, '012345'))
    const chinese = purposes.map((purpose) => codeEmail('cn', purpose, '012345'))
    expect(new Set([...english, ...chinese].map(({ subject }) => subject)).size).toBe(2 * purposes.length)
    for (const { subject, text } of english) expect(subject + text).not.toMatch(/\p{Script=Han}/u)
    for (const { subject, text } of chinese) expect(subject + text).toMatch(/\p{Script=Han}/u)
  })

  it('asks mail programs for nothing from outside', () => {
    for (const lang of ['en', 'cn'] as const)
      expect(codeEmail(lang, 'login', '012345').html).not.toMatch(/https?:|<link|<style|<img|<script/)
  })
})

describe('text in a page', () => {
  it('cannot become part of it', () => {
    expect(escapeHtml(`<a href="x" title='y'>&</a>`)).not.toMatch(/[<>"']/)
  })
})
