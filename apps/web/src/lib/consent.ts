/** Whether the person lets us count visits; undefined without an answer, and without storage. */

const KEY = 'tidenet.cookies'
const listeners = new Set<() => void>()
let given: boolean | undefined = read()

function read(): boolean | undefined {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'accepted' ? true : kept === 'declined' ? false : undefined
  } catch {
    return undefined
  }
}

export const consentGiven = (): boolean | undefined => given

export function decideConsent(answer: boolean): void {
  given = answer
  try {
    localStorage.setItem(KEY, answer ? 'accepted' : 'declined')
  } catch {
    // Asked again next time.
  }
  for (const listener of listeners) listener()
}

export function onConsent(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
