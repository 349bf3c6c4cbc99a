import { WalletError } from '../errors.ts'
import type { Sealed } from './vault.ts'

/** The built-in wallet as stored. The address is public; the recovery phrase is encrypted. */
export interface StoredWallet {
  address: string
  /** Address prefix of the chain. */
  prefix: string
  createdAt: string
  sealed: Sealed
}

const DATABASE = 'tidenet-wallet'
const STORE = 'wallets'
const KEY = 'built-in'

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function withStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  try {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    const database = await answer(opening)
    try {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const done = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
      const result = await answer(act(transaction.objectStore(STORE)))
      await done
      return result
    } finally {
      database.close()
    }
  } catch (error) {
    // Fails in some private windows and on full disks.
    throw new WalletError('unreadable', error)
  }
}

/** @throws WalletError `unreadable` */
export const loadWallet = (): Promise<StoredWallet | undefined> =>
  withStore('readonly', (store) => store.get(KEY) as IDBRequest<StoredWallet | undefined>)

/** Stores a wallet; never overwrites an existing one. @throws WalletError `unreadable` */
export async function saveWallet(wallet: StoredWallet): Promise<void> {
  await withStore('readwrite', (store) => store.add(wallet, KEY))
  // Ask the browser not to evict the data; it may decline.
  await navigator.storage?.persist?.().catch(() => false)
}

export const removeWallet = (): Promise<undefined> => withStore('readwrite', (store) => store.delete(KEY))
