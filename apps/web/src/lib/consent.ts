/** Consent to visitor statistics; undefined until the visitor answers, and without storage. */

const KEY = 'tidenet.cookies'
const listeners = new Set<() => void>()
let given: boolean | undefined = read()

function read(): boolean | undefined {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'accepted' ? true : stored === 'declined' ? false : undefined
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
    // Without storage, the next visit asks again.
  }
  for (const listener of listeners) listener()
}

export function onConsent(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
