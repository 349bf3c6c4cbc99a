/** What was left without an account from this browser, so that its page can say "yours". Kept for the day that the files live. */

const KEY = 'tidenet.left'

interface Left {
  cid: string
  /** Unix ms. */
  until: number
}

function read(): Left[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter(
      (each): each is Left =>
        typeof each?.cid === 'string' && typeof each?.until === 'number' && each.until > Date.now(),
    )
  } catch {
    return []
  }
}

export function rememberLeft(cid: string, until: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read().filter((each) => each.cid !== cid), { cid, until }].slice(-20)))
  } catch {
    // Its page then greets its owner as it greets everybody.
  }
}

export const wasLeftHere = (cid: string): boolean => read().some((each) => each.cid === cid)
