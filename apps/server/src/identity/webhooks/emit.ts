import { randomUUID } from 'node:crypto'
import type { WebhookData, WebhookEventName } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { insertDeliveries } from './repository.ts'

export { findListeners, findListenersOf } from './repository.ts'

/**
 * Records an event in its transaction, for every webhook of the account that receives it. A server with the role `jobs` sends it.
 * @returns how many webhooks receive it
 */
export const emitEvent = <E extends WebhookEventName>(
  tx: Db,
  userId: number,
  event: E,
  data: WebhookData<E>,
  at: Date,
): Promise<number> => insertDeliveries(tx, userId, { ...createMessage(event, data, at), event, at })

/** Its id and its body, as Standard Webhooks recommends them. Every attempt sends the same bytes. */
export const createMessage = <E extends WebhookEventName>(
  event: E,
  data: WebhookData<E>,
  at: Date,
): { messageId: string; body: string } => ({
  messageId: `msg_${randomUUID().replaceAll('-', '')}`,
  body: JSON.stringify({ type: event, timestamp: at.toISOString(), data }),
})
