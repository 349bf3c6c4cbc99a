import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createStorage, type Storage } from '@tidenet/storage'
import { Failed } from './output.ts'
import { lang, texts } from './texts.ts'

/** Where the portal is and who is signed in. `token` is a session token or an API key. */
export interface Session {
  url: string
  token: string
}

const DEFAULT_URL = 'http://127.0.0.1:8080'

const sessionFile = (): string =>
  join(
    process.env.TIDENET_CONFIG || join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'tidenet'),
    'session.json',
  )

/** `TIDENET_URL` and `TIDENET_TOKEN` go before what was kept. */
export function readSession(): Session {
  let kept: Partial<Session> = {}
  try {
    kept = JSON.parse(readFileSync(sessionFile(), 'utf8')) as Partial<Session>
  } catch {
    // Nobody has signed in yet.
  }
  return {
    url: process.env.TIDENET_URL || kept.url || DEFAULT_URL,
    token: process.env.TIDENET_TOKEN || kept.token || '',
  }
}

export function keepSession(session: Session): void {
  const file = sessionFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(session, null, 2)}\n`, { mode: 0o600 })
}

export const forgetSession = (): void => rmSync(sessionFile(), { force: true })

/** The SDK for whoever is signed in; a rotated token is kept. */
export function openStorage(session = readSession()): Storage {
  return createStorage({
    ...session,
    lang,
    onToken: (token) => {
      if (!process.env.TIDENET_TOKEN) keepSession({ ...session, token })
    },
  })
}

/** @throws Failed when nobody is signed in */
export function signedIn(): Storage {
  const session = readSession()
  if (session.token === '') throw new Failed(texts.signInFirst, 'signIn')
  return openStorage(session)
}
