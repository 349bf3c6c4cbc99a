import { expect, it } from 'vitest'
import { createErrorLog } from './connection-errors.ts'

it('errors of connections are told once per code and half minute, with their number', () => {
  const told: unknown[] = []
  let time = 1000
  const note = createErrorLog({ warn: ({ count }: { count: number }) => told.push(count) }, () => time)
  const broken = (code?: string) => Object.assign(new Error('broken'), code !== undefined && { code })
  for (let i = 0; i < 3; i++) note(broken('57P01'))
  expect(told).toEqual([1])
  note(broken('ECONNRESET'))
  note(broken())
  expect(told).toEqual([1, 1, 1])
  time += 30_000
  note(broken('57P01'))
  expect(told).toEqual([1, 1, 1, 3])
})
