import type { CertificateStore } from './store.ts'

/** Values of the store as JSON documents. */

export interface Documents {
  read<T>(key: string): Promise<T | undefined>
  /** Writes it whatever was there; undefined deletes. */
  write(key: string, value: unknown): Promise<void>
  /**
   * Changes a document in one step, whoever else changes it at the same time.
   * @param change is called again if somebody else was faster; it returns the new document, undefined to delete it, and a result
   */
  change<T, R>(key: string, change: (before: T | undefined) => { after: T | undefined; result: R }): Promise<R>
}

/** After so many lost races, something is wrong with the store. */
const ATTEMPTS = 1000

export function documentsOf(store: CertificateStore): Documents {
  const parse = <T>(text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as T))
  const documents: Documents = {
    read: async <T>(key: string) => parse<T>(await store.read(key)),
    write: (key, value) => documents.change(key, () => ({ after: value, result: undefined })),
    async change<T, R>(key: string, change: (before: T | undefined) => { after: T | undefined; result: R }) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const text = await store.read(key)
        const { after, result } = change(parse<T>(text))
        const next = after === undefined ? undefined : JSON.stringify(after)
        if (next === text || (await store.replace(key, text, next))) return result
      }
      throw new Error(`The certificate store does not replace ${key}`)
    },
  }
  return documents
}
