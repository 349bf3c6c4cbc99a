/** The result, or undefined if it throws. */
export function tryOrUndefined<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
