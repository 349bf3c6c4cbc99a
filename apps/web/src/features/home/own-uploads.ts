/** Anonymous uploads of this browser, so that their page can say "yours". Remembered for the 24 hours that the files exist. */

const KEY = 'tidenet.left'

interface Upload {
  cid: string
  /** Unix ms. */
  until: number
}

function read(): Upload[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.filter(
      (each): each is Upload =>
        typeof each?.cid === 'string' && typeof each?.until === 'number' && each.until > Date.now(),
    )
  } catch {
    return []
  }
}

export function rememberUpload(cid: string, until: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read().filter((each) => each.cid !== cid), { cid, until }].slice(-20)))
  } catch {
    // Without storage, the page treats the uploader like any visitor.
  }
}

export const wasUploadedHere = (cid: string): boolean => read().some((each) => each.cid === cid)
