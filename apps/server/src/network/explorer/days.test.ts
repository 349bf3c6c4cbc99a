import { expect, it } from 'vitest'
import { uptimeByDay } from './days.ts'

const day = (text: string) => new Date(`2026-03-${text}Z`)

it.each([
  ['all the time', [{ began: day('01T00:00'), ended: null }], [1, 1, 1]],
  ['half a day', [{ began: day('01T00:00'), ended: day('02T12:00') }], [1, 0.5, 0]],
  [
    'twice a day',
    [
      { began: day('01T06:00'), ended: day('01T12:00') },
      { began: day('01T18:00'), ended: null },
    ],
    [0.5, 1, 1],
  ],
  ['never', [], [0, 0, 0]],
  ['before', [{ began: day('01T00:00'), ended: day('01T00:00') }], [0, 0, 0]],
])('computes uptime of a node that was online %s', (_, spans, shares) => {
  const days = uptimeByDay(spans, day('01T00:00'), day('03T18:00'))
  expect(days.map(({ uptime }) => uptime)).toEqual(shares)
  expect(days.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
})

it('counts the first day from the registration', () => {
  const days = uptimeByDay([{ began: day('01T12:00'), ended: null }], day('01T12:00'), day('02T06:00'))
  expect(days).toEqual([
    { date: '2026-03-01', uptime: 1 },
    { date: '2026-03-02', uptime: 1 },
  ])
})
