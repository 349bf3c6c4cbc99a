import { AppError, type contract, type Lang, type Parsed, WEBHOOK_ROTATION, WEBHOOKS_MAX } from '@tidenet/contract'
import { countFailure, type FailureLimit } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { seal } from '../../platform/seal.ts'
import { type Context, type Db, now } from '../context.ts'
import * as deliveries from './deliveries-repository.ts'
import { createMessage } from './emit.ts'
import * as repository from './repository.ts'
import { isDelivered, secretOwner, sendMessage } from './send.ts'
import { createSecret } from './signature.ts'
import { readTarget } from './target.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys'>
type Operations = typeof contract.webhooks
interface From {
  ip: string
}

/** @throws AppError webhookUrl, tooManyWebhooks */
export async function createWebhook(
  context: Deps,
  caller: Member,
  input: Parsed<Operations['create']>,
  from: From & { lang: Lang },
): Promise<{ id: number; secret: string }> {
  const target = readTarget(input.url, context.config.privateWebhooks)
  const secret = createSecret()
  const id = await context.db.transaction(async (tx) => {
    await repository.lockAccount(tx, caller.userId)
    if ((await repository.countWebhooks(tx, caller.userId)) >= WEBHOOKS_MAX)
      throw new AppError('tooManyWebhooks', { max: WEBHOOKS_MAX })
    const created = await repository.insertWebhook(tx, {
      user_id: caller.userId,
      name: input.name,
      ...target,
      events: input.events,
      secret: seal(context.keys.webhook, Buffer.from(secret), secretOwner(caller.userId)),
      lang: from.lang,
      created_at: now(context),
    })
    // Paths and queries of URLs can contain secrets.
    const detail = { host: target.host, events: input.events }
    await audit(tx, context, caller, from, { action: 'webhook.create', subject: `webhook:${created}`, detail })
    return created
  })
  return { id, secret }
}

/** Newest first, without secrets. */
export async function webhooksOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, { userId }: Member) {
  const at = now({ clock })
  const rows = await repository.listWebhooks(db, userId)
  return {
    max: WEBHOOKS_MAX,
    list: rows.map(({ id, name, url, events, enabled, disabled_by, waiting, dead, ...row }) => ({
      id,
      name,
      url,
      events,
      enabled,
      disabled_by,
      failing_since: row.failing_since?.toISOString() ?? null,
      previous_until: row.previous_until && row.previous_until > at ? row.previous_until.toISOString() : null,
      waiting,
      dead,
      created_at: row.created_at.toISOString(),
    })),
  }
}

/** @throws AppError webhookUnknown, webhookUrl */
export async function changeWebhook(
  context: Deps,
  caller: Member,
  { id, ...input }: Parsed<Operations['change']>,
  from: From,
): Promise<void> {
  const target = input.url === undefined ? undefined : readTarget(input.url, context.config.privateWebhooks)
  await context.db.transaction(async (tx) => {
    const old = await requireWebhook(tx, caller, id)
    const changed = {
      name: input.name ?? old.name,
      url: target?.url ?? old.url,
      host: target?.host ?? old.host,
      events: input.events ?? old.events,
    }
    await repository.updateWebhook(tx, id, changed)
    const switched = input.enabled !== undefined && input.enabled !== old.enabled
    if (switched) await repository.setEnabled(tx, id, input.enabled ? '' : 'owner')
    if (switched && !input.enabled) await deliveries.endWaiting(tx, id)
    const detail = {
      host: changed.host,
      events: changed.events,
      ...(changed.url !== old.url && { url: 'changed' }),
      ...(switched && { enabled: input.enabled }),
    }
    await audit(tx, context, caller, from, { action: 'webhook.change', subject: `webhook:${id}`, detail })
  })
}

/** @throws AppError webhookUnknown */
export async function rotateSecret(context: Deps, caller: Member, id: number, from: From) {
  const secret = createSecret()
  const until = new Date(context.clock.now() + WEBHOOK_ROTATION)
  await context.db.transaction(async (tx) => {
    await requireWebhook(tx, caller, id)
    const sealed = seal(context.keys.webhook, Buffer.from(secret), secretOwner(caller.userId))
    await repository.replaceSecret(tx, id, sealed, until)
    await audit(tx, context, caller, from, { action: 'webhook.rotate', subject: `webhook:${id}` })
  })
  return { secret, previous_until: until.toISOString() }
}

/** @throws AppError webhookUnknown */
export async function removeWebhook(context: Deps, caller: Member, id: number, from: From): Promise<void> {
  await context.db.transaction(async (tx) => {
    if ((await repository.deleteWebhook(tx, caller.userId, id)) === 0) throw new AppError('webhookUnknown')
    await audit(tx, context, caller, from, { action: 'webhook.remove', subject: `webhook:${id}` })
  })
}

const HOUR = 3_600_000

/** What an account may do to make the server send requests. Counted apart from deliveries, which end with their webhook. */
const TESTS: FailureLimit = { kind: 'webhook-tests', max: 10, within: 60_000 }
const REPLAYS: FailureLimit = { kind: 'webhook-replays', max: 100, within: HOUR }
/** Of all that were given up, which can be thousands. */
const REPLAYS_OF_ALL: FailureLimit = { kind: 'webhook-replays-of-all', max: 10, within: HOUR }

/** @throws AppError tooManyRequests */
async function countRequest(tx: Db, { clock }: Deps, { userId }: Member, limit: FailureLimit): Promise<void> {
  const seconds = await countFailure({ db: tx, clock }, limit, String(userId))
  if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
}

/** Sends `test.ping` at once. @throws AppError webhookUnknown, tooManyRequests */
export async function testWebhook(context: Deps, caller: Member, id: number) {
  const at = now(context)
  const test = await context.db.transaction(async (tx) => {
    const webhook = await requireWebhook(tx, caller, id)
    await countRequest(tx, context, caller, TESTS)
    const message = createMessage('test.ping', { webhook_id: id }, at)
    const { id: delivery } = await deliveries.insertTest(tx, id, { ...message, at })
    return { ...webhook, body: message.body, message_id: message.messageId, delivery }
  })
  const answer = await sendMessage(context, test)
  const delivered = isDelivered(answer)
  await deliveries.recordAttempt(context.db, test.delivery, null, {
    ...answer,
    state: delivered ? 'delivered' : 'dead',
    dueAt: null,
    at: now(context),
  })
  const { status, failure, answer: text, tookMs } = answer
  return { delivered, status, failure, answer: text, took_ms: tookMs }
}

const PAGE = 20

/** Newest first. @throws AppError webhookUnknown */
export async function deliveriesOf(
  { db }: Pick<Deps, 'db'>,
  { userId }: Member,
  { id, before, state }: Parsed<Operations['deliveries']>,
) {
  if (!(await repository.findWebhook(db, userId, id))) throw new AppError('webhookUnknown')
  const rows = await deliveries.pageOfDeliveries(db, id, { before, state }, PAGE + 1)
  const list = rows.slice(0, PAGE)
  return {
    list: list.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      tried_at: row.tried_at?.toISOString() ?? null,
      due_at: row.due_at?.toISOString() ?? null,
    })),
    next: rows.length > PAGE ? (list.at(-1)?.id ?? null) : null,
  }
}

/** @throws AppError webhookUnknown, webhookDisabled, notFound, tooManyRequests */
export async function replay(
  context: Deps,
  caller: Member,
  { id, delivery }: Parsed<Operations['replay']>,
  from: From,
): Promise<{ count: number }> {
  return context.db.transaction(async (tx) => {
    const { enabled } = await requireWebhook(tx, caller, id)
    if (!enabled) throw new AppError('webhookDisabled')
    await countRequest(tx, context, caller, delivery === undefined ? REPLAYS_OF_ALL : REPLAYS)
    const count = await deliveries.replayDeliveries(tx, id, delivery, now(context))
    if (delivery !== undefined && count === 0) throw new AppError('notFound')
    const detail = { count, ...(delivery !== undefined && { delivery }) }
    await audit(tx, context, caller, from, { action: 'webhook.replay', subject: `webhook:${id}`, detail })
    return { count }
  })
}

/** Locks it. */
async function requireWebhook(tx: Db, { userId }: Member, id: number): Promise<repository.WebhookRow> {
  const webhook = await repository.lockWebhook(tx, userId, id)
  if (!webhook) throw new AppError('webhookUnknown')
  return webhook
}
