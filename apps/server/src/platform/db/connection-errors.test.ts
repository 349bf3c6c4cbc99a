import { expect, it } from 'vitest'
import { createErrorLog } from './connection-errors.ts'

it('logs connection errors once per code and 30 seconds, with their count', () => {
  const logged: unknown[] = []
  let time = 1000
  const logError = createErrorLog({ warn: ({ count }: { count: number }) => logged.push(count) }, () => time)
  const broken = (code?: string) => Object.assign(new Error('broken'), code !== undefined && { code })
  for (let i = 0; i < 3; i++) logError(broken('57P01'))
  expect(logged).toEqual([1])
  logError(broken('ECONNRESET'))
  logError(broken())
  expect(logged).toEqual([1, 1, 1])
  time += 30_000
  logError(broken('57P01'))
  expect(logged).toEqual([1, 1, 1, 3])
})
