import { describe, expect, it } from 'vitest'
import { withChanges } from './changes.ts'

const segments = [
  { start: 0, end: 1, text: 'one', original: null },
  { start: 1, end: 2, text: 'second', original: 'two' },
]

describe('changes of a transcript', () => {
  it('keep what the engine wrote', () =>
    expect(withChanges(segments, new Map([[0, 'first']]))[0]).toMatchObject({ text: 'first', original: 'one' }))

  it('keep it when a text is changed again', () =>
    expect(withChanges(segments, new Map([[1, 'another']]))[1]).toMatchObject({ text: 'another', original: 'two' }))

  it.each([null, 'two'])('restore it with %s', (text) =>
    expect(withChanges(segments, new Map([[1, text]]))[1]).toMatchObject({ text: 'two', original: null }),
  )

  it('can leave a segment without text', () =>
    expect(withChanges(segments, new Map([[0, '']]))[0]).toMatchObject({ text: '', original: 'one' }))

  it('do not touch other segments', () => expect(withChanges(segments, new Map([[0, 'first']]))[1]).toBe(segments[1]))
})
