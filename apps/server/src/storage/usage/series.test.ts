import { describe, expect, it } from 'vitest'
import { daySteps, fill, hourSteps } from './series.ts'

const at = new Date('2026-03-01T13:37:00Z')
const text = (dates: Date[]) => dates.map((date) => date.toISOString())

describe('steps', () => {
  it('cover 24 hours up to the current one', () => {
    const steps = text(hourSteps(at))
    expect(steps).toHaveLength(24)
    expect([steps[0], steps[23]]).toEqual(['2026-02-28T14:00:00.000Z', '2026-03-01T13:00:00.000Z'])
  })

  it.each([
    [{ from: '2026-02-27', to: '2026-03-01' }, 3, '2026-02-27'],
    [{ days: 1 }, 1, '2026-03-01'],
    [{ days: 90 }, 90, '2025-12-02'],
    [{}, 14, '2026-02-16'],
    [{ to: '2026-01-10', days: 2 }, 2, '2026-01-09'],
    [{ from: '2026-02-28' }, 2, '2026-02-28'],
  ])('of days %j are %i, from %s', (range, count, first) => {
    const steps = daySteps(at, range)
    expect(steps).toHaveLength(count)
    expect(steps[0]?.toISOString().slice(0, 10)).toBe(first)
  })

  it.each([{ from: '2026-03-02', to: '2026-03-01' }, { from: '2025-01-01', to: '2026-01-01' }, { from: '2026-13-45' }])(
    'are empty for %j',
    (range) => {
      expect(daySteps(at, range)).toEqual([])
    },
  )
})

it('fills gaps, and repeats the storage size until the next record', () => {
  const steps = daySteps(at, { days: 4 })
  const row = { step: steps[1] as Date, sent: 7, received: 3, downloads: 2, peak: 5, stored: 100 }
  expect(fill('day', steps, [row, { ...row, step: steps[2] as Date, stored: null }], 40)).toEqual([
    { date: '02-26', DownloadCount: 0, PeakBandwidth: 0, TotalBandwidth: 0, UploadBandwidth: 0, StorageSize: 40 },
    { date: '02-27', DownloadCount: 2, PeakBandwidth: 5, TotalBandwidth: 7, UploadBandwidth: 3, StorageSize: 100 },
    { date: '02-28', DownloadCount: 2, PeakBandwidth: 5, TotalBandwidth: 7, UploadBandwidth: 3, StorageSize: 100 },
    { date: '03-01', DownloadCount: 0, PeakBandwidth: 0, TotalBandwidth: 0, UploadBandwidth: 0, StorageSize: 100 },
  ])
  expect(fill('hour', [at], [], 0)[0]?.date).toBe('13:00')
})
