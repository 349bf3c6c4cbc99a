import type { Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { type Context, now } from '../context.ts'
import { timesOf } from '../nodes/times.ts'
import { type DeviceNews, deviceEmail } from './emails.ts'
import {
  countRecentlyOffline,
  hasPendingNotifications,
  markOfflineNotified,
  markOnlineNotified,
  type News,
} from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'portalUrl'>

const MINUTE = 60_000
/** A node that comes and goes is told of once in this time. */
const QUIET = 60 * MINUTE
/** An owner gets one mail of either kind in this time. */
const REST = 10 * MINUTE
/** Nodes of a round; the rest waits. */
const NODES = 500
/** When more than so many nodes, and such a share of all, went within this time, it was not for their owners to mend. */
const MANY = 20
const SHARE = 0.2
const AT_ONCE = 5 * MINUTE

/**
 * Tells owners which of their nodes are away and which are back: one mail for all of an owner's nodes that went together. What was told is
 * noted in the same transaction.
 */
export async function notifyOwners(context: Needs): Promise<void> {
  const { db } = context
  const at = now(context)
  const before = (ms: number) => new Date(at.getTime() - ms)
  const { notifyAfter } = timesOf(context.config)
  const rest = before(REST)
  await db.transaction(async (tx) => {
    const back = await markOnlineNotified(tx, at, { since: before(notifyAfter / 2), rest }, NODES)
    const told = back.flatMap(({ tell, email, ...node }) => (tell && email !== null ? [{ ...node, email }] : []))
    await post(context, tx, 'back', told)
  })

  // Nodes that lose power together are found missing within a heartbeat of each other.
  const patience = { since: before(notifyAfter), together: before(notifyAfter / 3), quiet: before(QUIET), rest }
  if (!(await hasPendingNotifications(db, patience))) return
  const { total, gone } = await countRecentlyOffline(db, before(AT_ONCE))
  if (gone > MANY && gone > total * SHARE) return
  await db.transaction(async (tx) => post(context, tx, 'away', await markOfflineNotified(tx, at, patience, NODES)))
}

/** A mail to each owner, in the language of the code that each node came with. */
async function post(context: Needs, tx: Db, what: DeviceNews, nodes: readonly News[]): Promise<void> {
  const mails = new Map<string, { email: string; lang: Lang; nodes: News[] }>()
  for (const node of nodes) {
    const key = `${node.lang} ${node.email}`
    const mail = mails.get(key) ?? { email: node.email, lang: node.lang, nodes: [] }
    mail.nodes.push(node)
    mails.set(key, mail)
  }
  const page = `${context.portalUrl()}/devices`
  for (const { email, lang, nodes: some } of mails.values())
    await queueEmail(context, tx, email, deviceEmail(lang, what, some, page), { lowPriority: true })
}
