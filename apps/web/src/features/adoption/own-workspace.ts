import { GUEST_KEY as KEY } from '../feedback/support.ts'

/** The guest workspace of this browser: its key is all that proves whose it is. */

export function readGuestKey(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

export function storeGuestKey(key: string): void {
  try {
    if (key === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, key)
  } catch {
    // Without storage, nobody can adopt the workspace; it still runs.
  }
}
