import { messageOf } from '../lib/api.ts'

interface Action {
  title: string
  act: () => void
}

export interface ToastItem {
  id: number
  text: string
  tone: 'good' | 'bad'
  action?: Action | undefined
}

const MAX_VISIBLE = 4
let items: readonly ToastItem[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly ToastItem[]): void {
  items = next
  for (const listener of listeners) listener()
}

function add(text: string, tone: ToastItem['tone'], ms: number, action?: Action): void {
  lastId += 1
  const id = lastId
  // A repeated text replaces the earlier toast and restarts its timer.
  set([...items.filter((item) => item.text !== text), { id, text, tone, action }].slice(-MAX_VISIBLE))
  setTimeout(() => dismissToast(id), ms)
}

export const dismissToast = (id: number) => set(items.filter((item) => item.id !== id))

export const toast = {
  /** Confirms a success, optionally with one action such as undo. */
  success: (text: string, action?: Action): void => add(text, 'good', action ? 10_000 : 4000, action),
  /** Shows an error. Stays longer, and screen readers announce it at once. */
  error: (failure: unknown): void => add(typeof failure === 'string' ? failure : messageOf(failure), 'bad', 8000),
}

export const currentToasts = (): readonly ToastItem[] => items

export function onToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
