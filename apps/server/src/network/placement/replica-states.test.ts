import { describe, expect, it } from 'vitest'
import { afterReport, backoff, retryAfter } from './replica-states.ts'

const at = new Date('2026-01-01T00:00:00Z')
type Row = Parameters<typeof afterReport>[0]
type Report = Parameters<typeof afterReport>[1]

const changeAfter = (row: Partial<Row>, report: Partial<Report>) =>
  afterReport(
    { cid: 'c', state: 'pulling', tries: 0, suspect: false, size: 10, edge: false, ...row },
    { state: 'stored', size: 10, error: '', full: false, ...report },
    at,
  )

describe('a report of a replica', () => {
  it.each<[string, Partial<Row>, Partial<Report>, unknown]>([
    ['stored: stored', {}, {}, { state: 'stored', tries: 0 }],
    ['stored before the node got the work: stored', { state: 'wanted' }, {}, { state: 'stored' }],
    [
      'stored although lost: stored, and the content becomes due',
      { state: 'lost' },
      {},
      { state: 'stored', check: true },
    ],
    ['stored with another size: failed', {}, { size: 11 }, { state: 'wanted', tries: 1 }],
    [
      'stored with another size, stored before: lost',
      { state: 'stored' },
      { size: 11 },
      { state: 'lost', check: true },
    ],
    ['stored by an edge: unverified', { edge: true }, {}, { state: 'unverified', tries: 0 }],
    [
      'stored by an edge although lost: unverified',
      { edge: true, state: 'lost' },
      {},
      { state: 'unverified', check: true },
    ],
    ['stored again: nothing', { state: 'stored' }, {}, undefined],
    ['stored by an edge, unverified before: nothing', { edge: true, state: 'unverified' }, {}, undefined],
    ['missing although unverified: lost', { edge: true, state: 'unverified' }, { state: 'missing' }, { state: 'lost' }],
    ['stored although removed: nothing', { state: 'removed' }, {}, undefined],
    ['stored although an audit failed: nothing', { state: 'lost', suspect: true }, {}, undefined],
    [
      'failed: wanted again',
      {},
      { state: 'failed', error: 'no route' },
      { state: 'wanted', tries: 1, error: 'no route' },
    ],
    [
      'failed the fifth time: lost, placed elsewhere',
      { tries: 4 },
      { state: 'failed' },
      { state: 'lost', tries: 5, check: true },
    ],
    [
      'failed because the disk is full: not a failed try, and the content becomes due',
      { tries: 4 },
      { state: 'failed', full: true },
      { state: 'wanted', tries: 4, check: true },
    ],
    ['failed although stored: nothing', { state: 'stored' }, { state: 'failed' }, undefined],
    ['removed: row deleted', { state: 'removed' }, { state: 'removed' }, { state: 'gone', check: true }],
    ['removed, but uploaded again since: nothing', { state: 'stored' }, { state: 'removed' }, undefined],
    ['missing: lost', { state: 'stored' }, { state: 'missing' }, { state: 'lost', check: true }],
    ['missing and removed: row deleted', { state: 'removed' }, { state: 'missing' }, { state: 'gone' }],
    ['missing while pulling: nothing', {}, { state: 'missing' }, undefined],
  ])('%s', (_, row, report, expected) => {
    const change = changeAfter(row, report)
    if (expected === undefined) expect(change).toBeUndefined()
    else expect(change).toMatchObject(expected as object)
  })

  it('of a failure delays the next try longer each time', () => {
    expect([1, 2, 3, 4].map(retryAfter)).toEqual([5000, 10_000, 20_000, 40_000])
    expect(changeAfter({ tries: 1 }, { state: 'failed' })?.retryAt).toEqual(new Date(at.getTime() + 10_000))
    expect([5, 6, 7, 100].map(backoff)).toEqual([60_000, 120_000, 240_000, 24 * 3600_000])
    expect(changeAfter({ tries: 4 }, { state: 'failed' })?.retryAt).toEqual(new Date(at.getTime() + 60_000))
  })
})
