import { AppError, type Lang } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { clientNetworkOf, secondsUntil } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { plainText } from './measure.ts'
import { findTrace } from './repository.ts'
import * as repository from './support-repository.ts'

export { closeSupport, countOpenSupports, lockSupport, pageOfSupports, type SupportRow } from './support-repository.ts'

/** Transfers that one account, and one client network, may send to the operators within a day. */
export const SUPPORTS_PER_ACCOUNT_DAY = 5
export const SUPPORTS_PER_NETWORK_DAY = 10

/**
 * Text of a user that operators will read: without control characters, except line breaks and tabs, and without characters that change
 * the direction or appearance of the text around them.
 */
export const harmlessText = (text: string): string =>
  plainText(text)
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

export interface Support {
  traceId: string
  name: string
  text: string
}

/**
 * Sends a trace to the operators: its own account's, or an anonymous one whose id the sender knows. It is kept until they close it.
 * @returns undefined if it was sent before and is still open
 * @throws AppError notFound, also for a trace of another account; tooManyRequests above the daily limits
 */
export async function sendToSupport(
  tx: Db,
  sender: { caller: Visitor | Member; ip: string; lang: Lang },
  input: { trace_id: string; text: string },
  at: Date,
): Promise<Support | undefined> {
  const { caller, lang } = sender
  const traceId = plainText(input.trace_id)
  const userId = caller.kind === 'member' ? caller.userId : null
  const trace = await findTrace(tx, traceId)
  if (!trace || (trace.user_id !== null && trace.user_id !== userId)) throw new AppError('notFound')
  const network = clientNetworkOf(sender.ip)
  await repository.lockSending(tx, traceId, userId, network)
  const before = await repository.findSupport(tx, traceId)
  if (before && !before.closed_at) return undefined
  const sent = await repository.countSent(tx, userId, network, ago(at, DAY))
  if (sent.of_account >= SUPPORTS_PER_ACCOUNT_DAY || sent.from_network >= SUPPORTS_PER_NETWORK_DAY)
    throw new AppError('tooManyRequests', {
      seconds: secondsUntil(new Date((sent.oldest ?? at).getTime() + DAY), at),
    })
  const text = harmlessText(input.text)
  await repository.upsertSupport(tx, { traceId, userId, network, lang, text, at })
  return { traceId, name: harmlessText(trace.name), text }
}
