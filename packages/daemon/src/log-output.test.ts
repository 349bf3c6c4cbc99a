import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogOutput } from './log-output.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A disk that can be full. */
function setup() {
  let taken = ''
  let free = Number.POSITIVE_INFINITY
  let code = 'ENOSPC'
  const output = createLogOutput(
    (bytes) => {
      if (free <= 0) throw Object.assign(new Error(code), { code })
      const part = bytes.subarray(0, free)
      free -= part.length
      taken += part.toString()
      return part.length
    },
    (lines) => `${lines} lost\n`,
  )
  return {
    output,
    taken: () => taken,
    has(bytes: number, why = 'ENOSPC') {
      free = bytes
      code = why
    },
  }
}

describe('the output of a log', () => {
  it('buffers lines while the disk is full, and continues within a line when space is free', () => {
    const { output, taken, has } = setup()
    output.write('one\n')
    has(2)
    output.write('two\n')
    output.write('three\n')
    expect(taken()).toBe('one\ntw')
    has(Number.POSITIVE_INFINITY)
    vi.advanceTimersByTime(2000)
    expect(taken()).toBe('one\ntwo\nthree\n')
    output.write('four\n')
    expect(taken()).toBe('one\ntwo\nthree\nfour\n')
  })

  it.each(['ENOSPC', 'EDQUOT', 'EIO', 'EAGAIN'])(
    'neither throws nor grows without end on %s, and says what was lost',
    (code) => {
      const { output, taken, has } = setup()
      has(0, code)
      const line = `${'x'.repeat(9_999)}\n`
      for (let i = 0; i < 200; i += 1) output.write(line)
      has(Number.POSITIVE_INFINITY)
      vi.advanceTimersByTime(2000)
      const lines = taken().trimEnd().split('\n')
      expect(lines.length).toBeLessThan(110)
      expect(lines.at(-1)).toBe(`${200 - (lines.length - 1)} lost`)
      output.write('after\n')
      expect(taken().endsWith('lost\nafter\n')).toBe(true)
    },
  )

  it('stops when the reader is gone', () => {
    const { output, taken, has } = setup()
    has(0, 'EPIPE')
    output.write('one\n')
    has(Number.POSITIVE_INFINITY)
    vi.advanceTimersByTime(2000)
    output.write('two\n')
    output.flushSync()
    expect(taken()).toBe('')
  })
})
