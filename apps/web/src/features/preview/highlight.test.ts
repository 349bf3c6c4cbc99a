import hljs from 'highlight.js/lib/core'
import json from 'highlight.js/lib/languages/json'
import { describe, expect, it } from 'vitest'
import { languageOf, tokensOf } from './highlight.ts'
import { addressIn } from './markdown-links.ts'

describe('highlighted code', () => {
  it('keeps every character, line by line', () => {
    hljs.registerLanguage('json', json)
    const text = '{\n  "a": "<script>&amp;\'x\'",\r\n  "b": [1, null]\n}'
    const lines = tokensOf(hljs.highlight(text, { language: 'json' }).value)
    expect(lines.map((tokens) => tokens.map((token) => token.text).join(''))).toEqual(text.split(/\r\n|\n/))
    expect(lines.flat().some(({ className }) => className !== undefined)).toBe(true)
  })

  it('keeps the class of a comment over several lines', () => {
    const lines = tokensOf('<span class="hljs-comment">/* a\nb */</span> c')
    expect(lines[1]).toEqual([{ text: 'b */', className: lines[0]?.[0]?.className }, { text: ' c' }])
  })

  it('knows languages by the endings of names', () => {
    expect([languageOf('a.test.ts'), languageOf('Makefile'), languageOf('python')]).toEqual([
      'typescript',
      'makefile',
      'python',
    ])
    expect([languageOf('a.txt'), languageOf('a.constructor')]).toEqual([undefined, undefined])
  })
})

describe('links in a document', () => {
  it('lead to web pages and e-mail addresses', () => {
    expect(addressIn('https://example.org/a?b#c')).toBe('https://example.org/a?b#c')
    expect(addressIn('mailto:a@example.org')).toBe('mailto:a@example.org')
  })

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'blob:x',
    '/dashboard',
    '//x',
    'vbscript:x',
    '',
  ])('are refused as %j', (href) => expect(addressIn(href)).toBeUndefined())
})
