import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityIn, isIncomplete, KEYS_PATH, type NetworkIdentity, remember, storedIdentity } from '@tidenet/receipts'
import { configFolder, findWritableConfigFolder } from './config-folder.ts'

/** What networks are recognized by, by the URL of the portal. Remembered at first use, so that nobody can exchange it later. */

const TIMEOUT_MS = 10_000
const identityFile = (): string => join(configFolder(), 'receipt-keys.json')

function readStored(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(identityFile(), 'utf8')) as Record<string, unknown>
  } catch {
    // None yet.
    return {}
  }
}

/** What is remembered of a portal, without asking it. */
export function rememberedIdentity(url: string): NetworkIdentity {
  const stored = readStored()
  const own = Object.hasOwn(stored, url) ? stored[url] : undefined
  // Earlier versions stored a list of keys.
  return storedIdentity(Array.isArray(own) ? { keys: own.map((key: unknown) => ({ key })) } : own)
}

/** What is remembered of a portal, with what is missing and the portal publishes now; empty if it does not answer. */
export async function identityOf(url: string): Promise<NetworkIdentity> {
  const known = rememberedIdentity(url)
  if (!isIncomplete(known)) return known
  const published = await fetchIdentity(url).catch(() => undefined)
  const all = published ? remember(known, published) : known
  if (all === known || all.keys.length === 0) return known
  // Without the folder, the portal is asked each time.
  if (!findWritableConfigFolder()) return all
  const draft = `${identityFile()}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ ...readStored(), [url]: all }, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, identityFile())
  return all
}

async function fetchIdentity(url: string): Promise<NetworkIdentity> {
  const answer = await fetch(`${url}${KEYS_PATH}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return identityIn(await answer.json())
}
