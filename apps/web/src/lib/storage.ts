import type { ResumeStore, Storage } from '@tidenet/storage'
import { currentToken, replaceToken } from './session-store.ts'
import { actingTeam, storageAccount } from './team.ts'
import { lang } from './texts.ts'

let instance: Promise<Storage> | undefined

/** The SDK for the signed-in account, loaded on first use. */
export async function storage(): Promise<Storage> {
  instance ??= import('@tidenet/storage').then(({ createStorage }) =>
    createStorage({
      url: location.origin,
      token: currentToken(),
      lang,
      onToken: replaceToken,
      ...(actingTeam() && { team: storageAccount() }),
    }),
  )
  // Do not cache a failed load.
  const loaded = await instance.catch((error: unknown) => {
    instance = undefined
    throw error
  })
  if (loaded.api.token !== currentToken()) loaded.api.setToken(currentToken())
  return loaded
}

/** The SDK without an account, for anonymous files. */
export async function anonymousStorage(): Promise<Storage> {
  const { createStorage } = await import('@tidenet/storage')
  return createStorage({ url: location.origin, token: '', lang })
}

const resumeStores = new Map<string, Promise<ResumeStore>>()

/** Resume information of an account's uploads, stored in this browser separately for each account. */
export async function resumeStoreOf(account: string): Promise<ResumeStore> {
  const known = resumeStores.get(account)
  if (known) return known
  const opening = import('@tidenet/storage').then(({ persistentResumeStore }) =>
    persistentResumeStore(`tidenet-uploads-${account}`),
  )
  resumeStores.set(account, opening)
  return opening
}
