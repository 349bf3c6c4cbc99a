import { createHmac, randomInt } from 'node:crypto'
import {
  AppError,
  CODE_ATTEMPTS,
  CODE_LIFE,
  CODE_RESEND,
  CODES_PER_ADDRESS_DAY,
  CODES_PER_NETWORK_DAY,
  type Lang,
} from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { clientNetworkOf, secondsUntil } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { type CodePurpose, codeEmail } from '../../platform/mail/templates.ts'
import { type Context, now } from '../context.ts'
import {
  checkCodes,
  countCodes,
  findResend,
  insertCode,
  isExhausted,
  lockCodeCounts,
  lockCodes,
  logCode,
  useCode,
} from './codes-repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

/** Purposes by their API numbers. */
export const PURPOSES = { register: 1, login: 2, reset: 3, node: 5, email: 6, link: 7 } as const satisfies Record<
  CodePurpose,
  number
>

/** Purposes whose codes only one account can use, or only one link. */
const BOUND: ReadonlySet<CodePurpose> = new Set(['email', 'link'])

/*
 * Anyone can request a code for any address and enter wrong codes, and neither may lock out the owner. So several codes are valid at the same
 * time, the network that requested a code has five attempts of its own, and all other networks have five together.
 *
 * An attacker gets at most 5 + 5 attempts per code. An address gets 50 codes in 24 hours, so at most 500 attempts a day, each with a chance of
 * one in a million: 1 in 2,000 a day, with 50 mails to the owner. A single network gets 10 codes: 1 in 10,000 with other networks, 1 in 20,000
 * alone. See decision 12.
 */

/** After the last wrong attempt, the next code can be requested after this time. */
const LOCK_MS = CODE_RESEND

/** A correct code. */
export interface VerifiedCode {
  /** Uses up the code in the caller's transaction. @throws AppError codeExpired if it was used meanwhile */
  use(tx: Db): Promise<void>
}

/**
 * E-mails a new code; earlier ones stay valid. Behaves the same whether the address has an account or not.
 * @param type number of the purpose
 * @param account what the code is bound to, for a `BOUND` purpose and only for that: the uid of an account, or a link
 * @param deliver false: everything is the same, but no e-mail is sent
 * @throws AppError codeKind; codeTooSoon within 60 s of the last one; tooManyCodes above the daily limits
 */
export async function sendCode(
  context: Deps & Pick<Context, 'config'>,
  {
    type,
    address,
    ip,
    lang,
    account = '',
    deliver = true,
  }: { type: number; address: string; ip: string; lang: Lang; account?: string; deliver?: boolean },
): Promise<void> {
  const purpose = (Object.keys(PURPOSES) as CodePurpose[]).find((name) => PURPOSES[name] === type)
  if (!purpose || BOUND.has(purpose) !== (account !== '')) throw new AppError('codeKind')
  const at = now(context)
  const network = clientNetworkOf(ip)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await context.db.transaction(async (tx) => {
    await lockCodeCounts(tx, address, network)
    const counts = await countCodes(tx, address, network, ago(at, DAY))
    const next = await findResend(tx, type, address)
    if (next && next > at) throw new AppError('codeTooSoon', { seconds: secondsUntil(next, at) })
    const { to_address, from_network, of_both } = counts
    const { codesPerNetwork } = context.config
    if (to_address >= CODES_PER_ADDRESS_DAY || of_both >= CODES_PER_NETWORK_DAY || from_network >= codesPerNetwork)
      throw new AppError('tooManyCodes')
    await insertCode(tx, {
      purpose: type,
      address,
      network,
      hash: hashCode(context, type, address, code, account),
      resendAt: new Date(at.getTime() + CODE_RESEND),
      expiresAt: new Date(at.getTime() + CODE_LIFE),
    })
    await logCode(tx, address, network, at)
    if (deliver) await queueEmail(context, tx, address, codeEmail(lang, purpose, code))
  })
}

/**
 * Checks a code, and counts an attempt for each valid code of the address.
 * @throws AppError invalidCode, codeExpired, or codeLocked with the seconds until a new code can be requested
 */
export async function checkCode(
  context: Deps,
  purpose: CodePurpose,
  address: string,
  code: string,
  ip: string,
  account = '',
): Promise<VerifiedCode> {
  const at = now(context)
  const type = PURPOSES[purpose]
  const hash = hashCode(context, type, address, code, account)
  const lockedUntil = new Date(at.getTime() + LOCK_MS)
  const attempt = {
    purpose: type,
    address,
    network: clientNetworkOf(ip),
    hash,
    at,
    maxAttempts: CODE_ATTEMPTS,
    lockedUntil,
  }
  const { db } = context
  const checked = await db.transaction(async (tx) => {
    await lockCodes(tx, address)
    return checkCodes(tx, attempt)
  })
  if (checked.some(({ correct }) => correct))
    return {
      async use(tx) {
        if ((await useCode(tx, type, address, hash)) === 0) throw new AppError('codeExpired')
      },
    }
  if (checked.some(({ attempts }) => attempts < CODE_ATTEMPTS)) throw new AppError('invalidCode')
  const next = await findResend(db, type, address)
  if (next && next > at && (await isExhausted(db, attempt)))
    throw new AppError('codeLocked', { seconds: secondsUntil(next, at) })
  throw new AppError('codeExpired')
}

/** Keyed, because all million codes could be hashed quickly. */
const hashCode = (
  { keys }: Pick<Context, 'keys'>,
  type: number,
  address: string,
  code: string,
  account: string,
): Buffer =>
  createHmac('sha256', keys.pepper)
    .update(`code ${type} ${address} ${code}${account && ` ${account}`}`)
    .digest()
