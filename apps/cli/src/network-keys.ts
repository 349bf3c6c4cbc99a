import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEYS_PATH, receiptKeysIn } from '@tidenet/receipts'
import { configFolder } from './session.ts'

/** The keys of networks, by the URL of the portal. Remembered at first use, so that nobody can exchange them later. */

const TIMEOUT_MS = 10_000
const keysFile = (): string => join(configFolder(), 'receipt-keys.json')

function readStored(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(keysFile(), 'utf8')) as Record<string, unknown>
  } catch {
    // None yet.
    return {}
  }
}

/** The remembered keys of a portal, or else those that it publishes now; empty if it does not answer. */
export async function keysOf(url: string): Promise<string[]> {
  const known = readStored()
  const remembered = Object.hasOwn(known, url) ? known[url] : undefined
  if (Array.isArray(remembered) && remembered.length > 0) return remembered.map(String)
  const keys = await fetchKeys(url).catch(() => [])
  if (keys.length === 0) return []
  mkdirSync(configFolder(), { recursive: true, mode: 0o700 })
  const draft = `${keysFile()}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ ...known, [url]: keys }, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, keysFile())
  return keys
}

async function fetchKeys(url: string): Promise<string[]> {
  const answer = await fetch(`${url}${KEYS_PATH}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return receiptKeysIn(await answer.json())
}
