import { VISITOR_KEY } from './support.ts'

/** Keeps the token of this browser's conversation without an account; empty: forgets it. */
export function storeVisitor(visitor: string): void {
  try {
    if (visitor) localStorage.setItem(VISITOR_KEY, visitor)
    else localStorage.removeItem(VISITOR_KEY)
  } catch {
    // Without storage, the conversation ends with the page.
  }
}
