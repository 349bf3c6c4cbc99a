import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import type { ResumeStore, UnfinishedUpload } from './resume-store.ts'

const TABLE = 'uploads'

/** Stores unfinished uploads in IndexedDB. Those that nodes have deleted by now are deleted when it is opened. */
export function indexedDbResumeStore(name: string): ResumeStore {
  let opened: Promise<IDBDatabase> | undefined
  const open = () => {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE)
      request.onsuccess = () => {
        deleteExpired(request.result)
        resolve(request.result)
      }
      request.onerror = () => reject(request.error)
    })
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const run = async <T>(mode: IDBTransactionMode, step: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const database = await open()
    return new Promise<T>((resolve, reject) => {
      const request = step(database.transaction(TABLE, mode).objectStore(TABLE))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }
  return {
    get: (fingerprint) => run<UnfinishedUpload | undefined>('readonly', (table) => table.get(fingerprint)),
    async set(fingerprint, upload) {
      await run('readwrite', (table) => table.put(upload, fingerprint))
    },
    async delete(fingerprint) {
      await run('readwrite', (table) => table.delete(fingerprint))
    },
  }
}

function deleteExpired(database: IDBDatabase): void {
  const request = database.transaction(TABLE, 'readwrite').objectStore(TABLE).openCursor()
  request.onsuccess = () => {
    const cursor = request.result
    if (!cursor) return
    if (Date.now() - (cursor.value as UnfinishedUpload).begun > UPLOAD_TOKEN_LIFE) cursor.delete()
    cursor.continue()
  }
}
