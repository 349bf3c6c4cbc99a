import { describe, expect, it } from 'vitest'
import { type CodePurpose, codeEmail, composeEmail, escapeHtml, MUTED } from './templates.ts'

const purposes: CodePurpose[] = ['register', 'login', 'reset', 'node', 'email']

describe('codeEmail', () => {
  it.each(purposes)('has the code in both bodies, but not in the subject (%s)', (purpose) => {
    for (const lang of ['en', 'cn'] as const) {
      const email = codeEmail(lang, purpose, '012345')
      expect(email.text).toContain('012345')
      expect(email.html).toContain('012345')
      expect(email.subject).not.toContain('012345')
      expect(email.text).toContain('5')
    }
  })

  it('has a subject of its own for each purpose and language', () => {
    const english = purposes.map((purpose) => codeEmail('en', purpose, '012345'))
    const chinese = purposes.map((purpose) => codeEmail('cn', purpose, '012345'))
    expect(new Set([...english, ...chinese].map(({ subject }) => subject)).size).toBe(2 * purposes.length)
    for (const { subject, text } of english) expect(subject + text).not.toMatch(/\p{Script=Han}/u)
    for (const { subject, text } of chinese) expect(subject + text).toMatch(/\p{Script=Han}/u)
  })

  it('loads no external resources', () => {
    for (const lang of ['en', 'cn'] as const)
      expect(codeEmail(lang, 'login', '012345').html).not.toMatch(/https?:|<link|<style|<img|<script/)
  })
})

describe('escapeHtml', () => {
  it('escapes all special characters', () => {
    expect(escapeHtml(`<a href="x" title='y'>&</a>`)).not.toMatch(/[<>"']/)
  })
})

it('an e-mail has its lead, its blocks without the empty ones, and its sender, as text and as a page', () => {
  const { text, html } = composeEmail('en', { subject: 'Something <changed>' }, [
    { lines: ['one', 'two'] },
    { lines: [] },
    { lines: ['three'], style: MUTED },
  ])
  expect(text).toBe('Something <changed>.\n\none\ntwo\n\nthree\n\nTidenet\n')
  expect(html).not.toContain('<changed>')
  for (const line of ['one', 'two', 'three']) expect(html).toContain(`${line}</p>`)
})
