import { describe, expect, it } from 'vitest'
import { afterKey } from './typed-ahead.ts'

const closed = { open: false, text: '', taken: false }
const key = (name: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }) as KeyboardEvent
const ctrlK = key('k', { ctrlKey: true })
const press = (...keys: KeyboardEvent[]) => keys.reduce((before, each) => afterKey(before, each) ?? before, closed)

describe('Ctrl-K before the palette has loaded', () => {
  it('is remembered with the text typed after it', () => {
    expect(press(ctrlK, key('t'), key('R', { shiftKey: true }), key('é'))).toEqual({
      ...closed,
      open: true,
      text: 'tRé',
    })
    expect(press(key('k', { metaKey: true }))).toMatchObject({ open: true })
  })

  it('can be corrected and cancelled', () => {
    expect(press(ctrlK, key('a'), key('b'), key('Backspace'))).toMatchObject({ open: true, text: 'a' })
    expect(press(ctrlK, key('a'), key('Escape'))).toEqual(closed)
    expect(press(ctrlK, key('a'), ctrlK)).toEqual(closed)
  })

  it('ignores other keys, other shortcuts, and keys that the palette handles itself', () => {
    expect(press(key('k'), key('a'))).toEqual(closed)
    expect(press(ctrlK, key('Tab'), key('F5'), key('r', { ctrlKey: true }))).toMatchObject({ open: true, text: '' })
    expect(afterKey({ open: true, text: '', taken: true }, key('a'))).toBeUndefined()
  })
})
