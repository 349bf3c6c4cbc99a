import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStorage, persistentResumeStore, type ResumeStore, type Storage } from '@tidenet/storage'
import { CommandError } from './command-error.ts'
import { configFolder, findWritableConfigFolder } from './config-folder.ts'
import { portalFetch } from './portal-fetch.ts'
import { lang, texts } from './texts.ts'

/** URL of the portal, and session token or API key; an empty token means signed out. */
export interface Session {
  url: string
  token: string
}

const DEFAULT_URL = 'http://127.0.0.1:8080'

const sessionFile = (): string => join(configFolder(), 'session.json')

/** A URL without a trailing slash. @throws CommandError 'usage' */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(texts.usage.badUrl(text), 'usage')
  return text.replace(/\/+$/, '')
}

/** `TIDENET_URL` and `TIDENET_TOKEN` override the stored session. A stored token is never sent to another portal. */
export function readSession(): Session {
  const kept = readStored()
  const url = readUrl(process.env.TIDENET_URL || kept.url || DEFAULT_URL)
  return { url, token: process.env.TIDENET_TOKEN || (kept.url === url ? kept.token : '') }
}

function readStored(): Session {
  try {
    const { url, token } = JSON.parse(readFileSync(sessionFile(), 'utf8')) as Partial<Session>
    return { url: typeof url === 'string' ? url : '', token: typeof token === 'string' ? token : '' }
  } catch {
    // Not signed in yet.
    return { url: '', token: '' }
  }
}

/** Writes the session file, readable only by its owner; a crash leaves the previous one. @throws CommandError */
export function saveSession(session: Session): void {
  if (!findWritableConfigFolder()) throw new CommandError(texts.cannotSignIn)
  const file = sessionFile()
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(session, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** Deletes the token; the portal's URL is kept. */
export function clearSession(): void {
  const { url } = readStored()
  if (url) saveSession({ url, token: '' })
  else rmSync(sessionFile(), { force: true })
}

/** The SDK for the current session; stores rotated tokens. */
export function openStorage(session = readSession()): Storage {
  return createStorage({
    ...session,
    lang,
    fetch: portalFetch,
    // Unset and empty variables mean the own account.
    ...(process.env.TIDENET_TEAM && { team: process.env.TIDENET_TEAM }),
    onToken: (token) => {
      const kept = readStored()
      // Another process may have signed in or out in the meantime.
      if (kept.url === session.url && kept.token === session.token) saveSession({ ...session, token })
      session.token = token
    },
  })
}

/** @throws CommandError 'signIn' if signed out */
export function signedIn(): Storage {
  const session = readSession()
  if (session.token === '') throw new CommandError(texts.signInFirst, 'signIn')
  return openStorage(session)
}

/** The store of unfinished uploads; undefined if this user cannot write it: uploads then begin anew after an interruption. */
export function unfinishedUploads(): ResumeStore | undefined {
  const folder = findWritableConfigFolder()
  return folder === undefined ? undefined : persistentResumeStore(join(folder, 'uploads.json'))
}
