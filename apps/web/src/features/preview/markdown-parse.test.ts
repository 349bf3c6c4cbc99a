import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './markdown-parse.ts'

describe('a Markdown document', () => {
  it('is parsed, also with large tables', () => {
    expect(parseMarkdown('# Title\nText')?.map(({ type }) => type)).toEqual(['heading', 'paragraph'])
    const table = `${'|a'.repeat(20)}|\n${'|-'.repeat(20)}|\n${`${'|x'.repeat(20)}|\n`.repeat(1000)}`
    expect(parseMarkdown(table)?.[0]?.type).toBe('table')
  })

  it.each([
    [
      'a short text with a table of millions of cells',
      `${'|a'.repeat(2000)}\n${'|-'.repeat(2000)}\n${'|x\n'.repeat(10_000)}`,
    ],
    ['quotes in quotes, thousands of times', '>'.repeat(20_000)],
    ['more tokens than a page can show', '`a` '.repeat(100_000)],
  ])('is left as text if it is %s', (_, text) => expect(parseMarkdown(text)).toBeUndefined())
})
