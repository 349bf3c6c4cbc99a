/** Ctrl-K and what is typed right after it, from before the palette, or even the console, is there to take it. */

interface Ahead {
  open: boolean
  text: string
  /** The palette is there and takes the keys itself. */
  taken: boolean
}

const closed: Ahead = { open: false, text: '', taken: false }
const listeners = new Set<() => void>()
let state = closed
/** How many places can open the palette; none while the console is still being loaded. */
let triggers = 0

function change(next: Ahead): void {
  state = next
  for (const listener of listeners) listener()
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What a key makes of it; undefined for one that means nothing here. */
export function afterKey(before: Ahead, { key, ctrlKey, metaKey, altKey, shiftKey }: Key): Ahead | undefined {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey)
    return before.open ? closed : { ...closed, open: true }
  if (!before.open || before.taken || ctrlKey || metaKey || altKey) return undefined
  if (key === 'Escape') return closed
  if (key === 'Backspace') return { ...before, text: [...before.text].slice(0, -1).join('') }
  return [...key].length === 1 ? { ...before, text: before.text + key } : undefined
}

let listening = false

/** Listens from the first script of the page on. The prepared pages of the console are marked until it has taken over. */
export function listenAhead(): void {
  if (listening) return
  listening = true
  window.addEventListener('keydown', (event) => {
    if (triggers === 0 && !document.querySelector('[data-console]')) return
    const next = afterKey(state, event)
    if (!next) return
    event.preventDefault()
    change(next)
  })
}

export const isPaletteOpen = (): boolean => state.open
export const openPalette = (): void => change({ ...closed, open: true })
export const closePalette = (): void => change(closed)

/** What was typed so far; from now on the caller takes the keys. */
export function takeTyped(): string {
  const { text } = state
  state = { ...state, text: '', taken: true }
  return text
}

export function onPalette(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** There is a place that opens the palette, until it is taken away again. */
export function addTrigger(): () => void {
  listenAhead()
  triggers += 1
  return () => {
    triggers -= 1
    if (triggers === 0) change(closed)
  }
}
