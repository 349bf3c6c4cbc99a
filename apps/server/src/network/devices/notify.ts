import type { Lang } from '@tidenet/contract'
import { notify } from '../../identity/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { certificatesOf, markExpiringNotified } from '../certificates/service.ts'
import { type Context, now } from '../context.ts'
import { countFalling, markFalling, markOutdated, notifiable } from '../nodes/notices.ts'
import {
  countRecentlyOffline,
  hasPendingNotifications,
  markOfflineNotified,
  markOnlineNotified,
} from '../nodes/owners.ts'
import { timesOf } from '../nodes/times.ts'
import { markClonedNotified } from '../relays/cloned-keys.ts'
import { type DeviceEvent, deviceEmail, type Mailed } from './emails.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'portalUrl'>

const MINUTE = 60_000
/** Owners are notified about the same node at most once per period. */
const QUIET_PER_NODE_MS = 60 * MINUTE
/** Owners get at most one e-mail of each kind per period. */
const QUIET_PER_OWNER_MS = 10 * MINUTE
/** Owners are notified about an outdated version, and about a device that is not reliable, at most once per device and period. */
const QUIET_PER_NOTICE_MS = 7 * DAY
const BATCH = 500
/** Owners are not notified if more than this number and share of nodes go offline within the window, or fail: it is an outage of the network. */
const OUTAGE_NODES = 20
const OUTAGE_SHARE = 0.2
const OUTAGE_WINDOW_MS = 5 * MINUTE

/** Notifies owners about nodes that went offline or came back: one e-mail for all nodes of an owner that changed together. */
export async function notifyOwners(context: Deps): Promise<void> {
  const { db } = context
  const at = now(context)
  const { notifyAfter } = timesOf(context.config)
  const ownerNotified = ago(at, QUIET_PER_OWNER_MS)
  await db.transaction(async (tx) => {
    const online = await markOnlineNotified(tx, at, { online: ago(at, notifyAfter / 2), ownerNotified }, BATCH)
    await queueEmails(
      context,
      tx,
      'online',
      online.filter(({ notify }) => notify),
    )
  })

  // Nodes that lose power together are detected within one heartbeat of each other.
  const before = {
    offline: ago(at, notifyAfter),
    offlineTogether: ago(at, notifyAfter / 3),
    nodeNotified: ago(at, QUIET_PER_NODE_MS),
    ownerNotified,
  }
  if (!(await hasPendingNotifications(db, before))) return
  const { total, offline } = await countRecentlyOffline(db, ago(at, OUTAGE_WINDOW_MS))
  if (offline > OUTAGE_NODES && offline > total * OUTAGE_SHARE) return
  await db.transaction(async (tx) =>
    queueEmails(context, tx, 'offline', await markOfflineNotified(tx, at, before, BATCH)),
  )
}

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/

/**
 * Notifies owners about devices that run an older version than the portal offers, or do not work reliably.
 * @param newest the version that the portal offers; undefined: none
 */
export async function notifyOfTrouble(context: Deps, newest: string | undefined): Promise<void> {
  const at = now(context)
  const times = { at, before: ago(at, QUIET_PER_NOTICE_MS) }
  if (newest !== undefined && VERSION.test(newest))
    await context.db.transaction(async (tx) =>
      queueEmails(context, tx, 'outdated', await markOutdated(tx, newest.split('.').map(Number), times, BATCH)),
    )
  const { total, falling } = await countFalling(context.db)
  if (falling > OUTAGE_NODES && falling > total * OUTAGE_SHARE) return
  await context.db.transaction(async (tx) => queueEmails(context, tx, 'falling', await markFalling(tx, times, BATCH)))
}

/** Notifies owners about keys that are used twice, and about certificates that expire soon and are not renewed. */
export async function notifyOfReach(context: Deps): Promise<void> {
  if (context.config.names.zone === '') return
  const at = now(context)
  const times = { at, before: ago(at, QUIET_PER_NOTICE_MS) }
  await context.db.transaction(async (tx) => {
    await queueEmails(context, tx, 'cloned', await notifiable(tx, await markClonedNotified(tx, times, BATCH)))
    const nodes = await notifiable(tx, await markExpiringNotified(tx, times, BATCH))
    const certificates = await certificatesOf(
      context,
      tx,
      nodes.map(({ id }) => id),
    )
    const mailed = nodes.map((node) => ({ ...node, certificate: certificates.get(node.id) }))
    await queueEmails(context, tx, 'certificate', mailed)
  })
}

/** Queues one e-mail per owner and language. */
async function queueEmails(context: Deps, tx: Db, event: DeviceEvent, nodes: readonly Mailed[]): Promise<void> {
  const mails = new Map<string, { owner: number; lang: Lang; nodes: Mailed[] }>()
  for (const node of nodes) {
    const key = `${node.lang} ${node.owner_id}`
    const mail = mails.get(key) ?? { owner: node.owner_id, lang: node.lang, nodes: [] }
    mail.nodes.push(node)
    mails.set(key, mail)
  }
  const page = `${context.portalUrl()}/devices`
  for (const { owner, lang, nodes: affected } of mails.values())
    await notify(context, tx, owner, 'devices', (to) => deviceEmail(to, event, affected, page), { lang })
}
