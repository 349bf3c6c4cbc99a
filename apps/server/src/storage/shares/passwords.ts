import { timingSafeEqual } from 'node:crypto'
import { AppError } from '@tidenet/contract'
import {
  type AttemptLimit,
  clientNetworkOf,
  countAttempt,
  oneAtATime,
  resetAttempts,
  uncountAttempt,
} from '../../platform/attempts/attempts.ts'
import type { Context } from '../context.ts'

/** Limits wrong passwords per caller and link, and per link in total, against distributed guessing. */
const BY_CALLER: AttemptLimit = { kind: 'share', free: 5, firstLock: 60_000, longestLock: 3_600_000 }
const BY_LINK: AttemptLimit = { kind: 'share link', free: 100, firstLock: 60_000, longestLock: 3_600_000 }

/** @throws AppError sharePassRequired, sharePassWrong, sharePassLocked */
export async function checkPassword(
  context: Pick<Context, 'db' | 'clock'>,
  link: { id: string; short_pass: string; updated_at: Date },
  password: string,
  ip: string,
): Promise<void> {
  if (link.short_pass === '') return
  if (password === '') throw new AppError('sharePassRequired')
  // A changed password is a new secret with its own attempts.
  const secret = `${link.id} ${link.updated_at.getTime()}`
  const ofCaller = `${secret} ${clientNetworkOf(ip)}`
  await oneAtATime(`share ${ofCaller}`, async () => {
    const seconds = (await countAttempt(context, BY_CALLER, ofCaller)) || (await countAttempt(context, BY_LINK, secret))
    if (seconds > 0) throw new AppError('sharePassLocked', { seconds })
    if (!same(link.short_pass, password)) throw new AppError('sharePassWrong')
    await resetAttempts(context.db, BY_CALLER, ofCaller)
    await uncountAttempt(context.db, BY_LINK, secret)
  })
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
