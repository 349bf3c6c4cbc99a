import { describe, expect, it } from 'vitest'
import { plainLine } from './plain-line.ts'

describe('plainLine', () => {
  it('removes escape sequences and control characters', () => {
    expect(plainLine('\u001b[1;32mready\u001b[0m in \u001b[38;2;1;2;3m5 ms\u001b[m')).toBe('ready in 5 ms')
    expect(plainLine('\u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link')).toBe('textlink')
    expect(plainLine('\u001b(B\u001b=a\u0007b\u0008')).toBe('ab')
  })

  it('keeps other text unchanged', () => {
    for (const text of ['', '  two  spaces', 'a\tb', '[INFO] 100% — 完成', '<b>not markup</b>'])
      expect(plainLine(text)).toBe(text)
  })

  it('keeps the last version of an overwritten line', () => {
    expect(plainLine('10%\r50%\r100%\r')).toBe('100%')
  })
})
