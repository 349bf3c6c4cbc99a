/** Keeps Ctrl-K and the text typed after it until the command palette has loaded. */

interface Ahead {
  open: boolean
  text: string
  /** The palette has loaded and handles keys itself. */
  taken: boolean
}

const closed: Ahead = { open: false, text: '', taken: false }
const listeners = new Set<() => void>()
let state = closed
/** Number of mounted triggers of the palette; 0 while the console is loading. */
let triggers = 0

function change(next: Ahead): void {
  state = next
  for (const listener of listeners) listener()
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The state after a key; undefined for a key without effect. */
export function afterKey(before: Ahead, { key, ctrlKey, metaKey, altKey, shiftKey }: Key): Ahead | undefined {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey)
    return before.open ? closed : { ...closed, open: true }
  if (!before.open || before.taken || ctrlKey || metaKey || altKey) return undefined
  if (key === 'Escape') return closed
  if (key === 'Backspace') return { ...before, text: [...before.text].slice(0, -1).join('') }
  return [...key].length === 1 ? { ...before, text: before.text + key } : undefined
}

let listening = false
/** When the last key had an effect, by `Event.timeStamp`. */
let lastKeyAt = 0
/** Between a prerendered page and the app that takes over, there is neither a mark nor a trigger for a moment. */
const HANDOVER_MS = 5000

/** Until when keys are kept although there is nothing to see of the console. */
let handoverUntil = 0

/**
 * Starts with the first script of the page. Prerendered console pages carry a mark until the app has taken over.
 * @param prerendered the page is such a page
 */
export function listenAhead(prerendered = false): void {
  if (prerendered) handoverUntil = performance.now() + HANDOVER_MS
  if (listening) return
  listening = true
  window.addEventListener('keydown', (event) => {
    const isTyping = state.open && event.timeStamp - lastKeyAt < HANDOVER_MS
    const isHandover = event.timeStamp < handoverUntil
    if (triggers === 0 && !isTyping && !isHandover && !document.querySelector('[data-console]')) return
    const next = afterKey(state, event)
    if (!next) return
    lastKeyAt = event.timeStamp
    event.preventDefault()
    change(next)
  })
}

export const isPaletteOpen = (): boolean => state.open
export const openPalette = (): void => change({ ...closed, open: true })
export const closePalette = (): void => change(closed)

/** Returns the typed text. The caller handles keys from now on. */
export function takeTyped(): string {
  const { text } = state
  state = { ...state, text: '', taken: true }
  return text
}

export function onPalette(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Registers a trigger of the palette. @returns a function that removes it */
export function addTrigger(): () => void {
  listenAhead()
  handoverUntil = 0
  triggers += 1
  return () => {
    triggers -= 1
    if (triggers === 0) change(closed)
  }
}
