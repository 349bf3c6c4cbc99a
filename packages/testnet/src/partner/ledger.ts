import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The accounts and the ledger of the stand-in partner: an append-only file, flushed before an answer. */

export interface PartnerAccount {
  id: string
  email: string
  name: string
  /** It exists, but takes no credits. */
  closed?: true
}

/** A key is credited or refused once, and stays so. */
export interface LedgerEntry {
  key: string
  state: 'credited' | 'refused'
  id: string
  account: string
  points: number
  /** Why it was refused; `revoked`: it must not be credited any more. */
  reason: string
  at: string
}

export const ACCOUNTS: readonly PartnerAccount[] = [
  { id: '100001', email: 'first@partner.example', name: 'First' },
  { id: '100002', email: 'second@partner.example', name: 'Second' },
  { id: '100003', email: 'slow@partner.example', name: 'Slow' },
  { id: '100004', email: 'lost@partner.example', name: 'Lost' },
  { id: '100005', email: 'closed@partner.example', name: 'Closed', closed: true },
]

export const LEDGER_FILE = 'ledger.jsonl'

export function openLedger(data: string) {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const file = join(data, LEDGER_FILE)
  const entries = new Map<string, LedgerEntry>()
  if (existsSync(file))
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const entry = readEntry(line)
      if (entry && !entries.has(entry.key)) entries.set(entry.key, entry)
    }
  const log = openSync(file, 'a', 0o600)
  // A kill may have left half a line.
  if (existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))) writeSync(log, '\n')

  function add(entry: Omit<LedgerEntry, 'id' | 'at'>): LedgerEntry {
    const added = { ...entry, id: `c${randomBytes(8).toString('hex')}`, at: new Date().toISOString() }
    writeSync(log, `${JSON.stringify(added)}\n`)
    fsyncSync(log)
    entries.set(added.key, added)
    return added
  }

  return {
    find: (key: string): LedgerEntry | undefined => entries.get(key),
    balance: (account: string): number =>
      [...entries.values()].reduce(
        (sum, entry) => sum + (entry.state === 'credited' && entry.account === account ? entry.points : 0),
        0,
      ),
    credit(key: string, account: string, points: number): LedgerEntry {
      const owner = ACCOUNTS.find(({ id }) => id === account)
      const reason = !owner ? 'account_unknown' : owner.closed ? 'account_closed' : ''
      return entries.get(key) ?? add({ key, state: reason === '' ? 'credited' : 'refused', account, points, reason })
    },
    revoke: (key: string): LedgerEntry =>
      entries.get(key) ?? add({ key, state: 'refused', account: '', points: 0, reason: 'revoked' }),
    close: () => closeSync(log),
  }
}

export type Ledger = ReturnType<typeof openLedger>

function readEntry(line: string): LedgerEntry | undefined {
  try {
    return JSON.parse(line) as LedgerEntry
  } catch {
    return undefined
  }
}
