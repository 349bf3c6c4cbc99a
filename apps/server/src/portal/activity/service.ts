import { Readable } from 'node:stream'
import type { ActivityEntry, ActivityKind, contract, Output, Parsed } from '@tidenet/contract'
import { deviceOf, keyNames, pageOfSignIns, placeOf, sessionAgents } from '../../identity/index.ts'
import { pageOfOrderEvents } from '../../payments/index.ts'
import { type OwnAuditRow, pageOfOwnAudit } from '../../platform/audit-log/query.ts'
import { csvLine } from '../../platform/csv.ts'
import type { Before } from '../../platform/db/cursors.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context, Db } from '../context.ts'

type Activity = (typeof contract)['activity']
type Filter = Parsed<Activity['csv']>

/** Rows per query of an export. */
const BATCH = 500

/** The beginnings of actions, by what they are about. */
const PREFIXES: Readonly<Record<Exclude<ActivityKind, 'signIns' | 'orders' | 'other'>, readonly string[]>> = {
  account: ['account', 'email', 'points', 'thirdParty'],
  security: ['password', 'session', 'wallet', 'identity', 'passkey', 'totp', 'recovery', 'vault'],
  keys: ['key', 'webhook', 'agent'],
  files: ['file', 'import'],
  shares: ['share', 'request', 'publication'],
  devices: ['device', 'node'],
  containers: ['console', 'workload'],
}
const KINDS = Object.keys(PREFIXES) as (keyof typeof PREFIXES)[]
const KNOWN = Object.values(PREFIXES).flat()
const kindOf = (action: string): ActivityKind =>
  KINDS.find((kind) => PREFIXES[kind].includes(action.split('.')[0] ?? '')) ?? 'other'

interface Cursor {
  at: Date
  /** 0: the audit log, 1: sign-ins, 2: orders; entries of the same time are listed in this order. */
  source: number
  id: number
}
interface Found extends Cursor {
  entry: Omit<ActivityEntry, 'id' | 'at'>
}

export async function listActivity(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { after, size, ...filter }: Parsed<Activity['list']>,
): Promise<Output<Activity['list']>> {
  const rows = await pageOfActivity(db, caller, filter, readCursor(after), size + 1)
  const list = rows.slice(0, size)
  const last = list.at(-1)
  return {
    list: list.map(({ at, source, id, entry }) => ({ id: `${source}.${id}`, at: at.toISOString(), ...entry })),
    next: rows.length > size && last ? `${last.at.getTime()}.${last.source}.${last.id}` : null,
  }
}

function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [at = 0, source = 0, id = 0] = text.split('.').map(Number)
  return { at: new Date(Math.min(at, 8.64e15)), source, id: Math.min(id, Number.MAX_SAFE_INTEGER) }
}

/** Where a source continues after an entry of this or another source. */
function beforeIn(source: number, cursor: Cursor | undefined): Before | undefined {
  if (!cursor) return undefined
  const id = source < cursor.source ? 0 : source === cursor.source ? cursor.id : Number.MAX_SAFE_INTEGER
  return { at: cursor.at, id }
}

/** Newest first: the newest of each source, merged. */
async function pageOfActivity(
  db: Db,
  caller: Member,
  { kind, from, to }: Filter,
  cursor: Cursor | undefined,
  limit: number,
): Promise<Found[]> {
  const within = { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined }
  const found: Found[] = []
  if (kind !== 'signIns' && kind !== 'orders') {
    const only = kind && (kind === 'other' ? { not: KNOWN } : { one: PREFIXES[kind] })
    const rows = await pageOfOwnAudit(db, caller.uid, { ...within, only }, beforeIn(0, cursor), limit)
    found.push(...(await auditEntries(db, caller, rows)))
  }
  if (kind === undefined || kind === 'signIns')
    for (const row of await pageOfSignIns(db, caller.userId, within, beforeIn(1, cursor), limit))
      found.push({
        at: row.at,
        source: 1,
        id: row.id,
        entry: {
          kind: 'signIns',
          action: row.ok ? 'signIn' : 'signInFailed',
          subject: row.way,
          by: 'proof',
          key: '',
          device: deviceOf(row.agent),
          place: placeOf(row.ip),
          done: row.ok,
          items: null,
          about: '',
        },
      })
  if (kind === undefined || kind === 'orders')
    for (const row of await pageOfOrderEvents(db, caller.userId, within, beforeIn(2, cursor), limit))
      found.push({
        at: row.at,
        source: 2,
        id: row.id,
        entry: {
          kind: 'orders',
          action: `order.${row.event}`,
          subject: `order:${row.order_id}`,
          by: 'system',
          key: '',
          device: null,
          place: placeOf(''),
          done: true,
          items: null,
          about: '',
        },
      })
  return found.sort((a, b) => b.at.getTime() - a.at.getTime() || a.source - b.source || b.id - a.id).slice(0, limit)
}

/** With the names of keys and sessions. What others did is told without who they are and from where. */
async function auditEntries(db: Db, caller: Member, rows: readonly OwnAuditRow[]): Promise<Found[]> {
  const own = rows.filter(({ actor }) => actor === caller.uid)
  const of = (via: 'session' | 'key') => own.filter((row) => row.via === via).map((row) => row.credential)
  const agents = await sessionAgents(db, caller.userId, of('session'))
  const names = await keyNames(db, caller.userId, of('key'))
  return rows.map(({ id, at, actor, via, credential, ip, action, subject, result, items, about }) => {
    const mine = actor === caller.uid
    const agent = mine && via === 'session' ? agents.get(credential) : undefined
    return {
      at,
      source: 0,
      id,
      entry: {
        kind: kindOf(action),
        action,
        subject,
        by: mine || via === 'system' ? via : 'operator',
        key: (mine && via === 'key' && names.get(credential)) || '',
        device: agent === undefined ? null : deviceOf(agent),
        place: placeOf(mine ? ip : ''),
        done: result === 'done',
        items,
        about: about ?? '',
      },
    }
  })
}

const HEAD = ['time', 'kind', 'action', 'subject', 'by', 'key', 'device', 'network', 'done', 'items', 'about']

/** Streams all activity, newest first. */
export function exportActivity({ db }: Pick<Context, 'db'>, caller: Member, filter: Filter): Readable {
  async function* lines() {
    // Spreadsheets detect UTF-8 by the byte order mark.
    yield `\ufeff${csvLine(HEAD)}`
    let cursor: Cursor | undefined
    for (;;) {
      const rows = await pageOfActivity(db, caller, filter, cursor, BATCH)
      if (rows.length > 0) yield rows.map(asLine).join('')
      cursor = rows.at(-1)
      if (rows.length < BATCH) return
    }
  }
  return Readable.from(lines(), { highWaterMark: 1 })
}

const asLine = ({ at, entry: { kind, action, subject, by, key, device, place, done, items, about } }: Found): string =>
  csvLine([
    at.toISOString(),
    kind,
    action,
    subject,
    by,
    key,
    device ? [device.program, device.system].filter(Boolean).join(', ') : '',
    place.network,
    done ? 'yes' : 'no',
    items === null ? '' : String(items),
    about,
  ])
