import type { ResumeStore, Storage } from '@tidenet/storage'
import { currentToken, replaceToken } from '../../lib/session-store.ts'
import { lang } from '../../lib/texts.ts'

let instance: Promise<Storage> | undefined

/** The SDK, loaded when it is first needed, acting for whoever is signed in now. */
export async function storage(): Promise<Storage> {
  instance ??= import('@tidenet/storage').then(({ createStorage }) =>
    createStorage({ url: location.origin, token: currentToken(), lang, onToken: replaceToken }),
  )
  // A failed load must not be remembered.
  const loaded = await instance.catch((error: unknown) => {
    instance = undefined
    throw error
  })
  if (loaded.api.token !== currentToken()) loaded.api.setToken(currentToken())
  return loaded
}

/** The SDK without an account, for files that anyone may leave here. */
export async function anonymousStorage(): Promise<Storage> {
  const { createStorage } = await import('@tidenet/storage')
  return createStorage({ url: location.origin, token: '', lang })
}

const resumeStores = new Map<string, Promise<ResumeStore>>()

/** Where this browser remembers what nodes have of an account's uploads; nobody else's goes on there. */
export async function resumeStoreOf(account: string): Promise<ResumeStore> {
  const known = resumeStores.get(account)
  if (known) return known
  const opening = import('@tidenet/storage').then(({ persistentResumeStore }) =>
    persistentResumeStore(`tidenet-uploads-${account}`),
  )
  resumeStores.set(account, opening)
  return opening
}
