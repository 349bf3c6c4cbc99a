import { createHmac, randomInt } from 'node:crypto'
import {
  AppError,
  CODE_LIFE,
  CODE_RESEND,
  CODE_TRIES,
  CODES_PER_ADDRESS_DAY,
  CODES_PER_IP_DAY,
  type Lang,
} from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { postMail } from '../mail/post.ts'
import { type CodePurpose, codeLetter } from '../mail/templates.ts'
import { networkOf } from '../sessions/attempts.ts'
import { countCodes, findCode, holdCounts, logCode, putCode, removeCode, tryCode } from './codes-repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>

/** Numbers of the purposes on the wire. */
export const PURPOSES = { register: 1, login: 2, reset: 3, node: 5 } as const satisfies Record<CodePurpose, number>

/** After the last wrong try: how long the address waits for its next code. */
const LOCK = CODE_RESEND
const DAY = 24 * 3600 * 1000

/** A right code; `use` spends it. */
export interface FittingCode {
  /** Spends the code in the caller's transaction. @throws AppError codeExpired when somebody else just did */
  use(tx: Db): Promise<void>
}

/**
 * Mails a new code, which replaces the one before. Whether the address has an account plays no part, so nothing tells.
 * @param type the purpose's number
 * @throws AppError codeKind; codeTooSoon within 60 s of the last one; tooManyCodes above the day's limits
 */
export async function sendCode(
  context: Needs,
  { type, address, ip, lang }: { type: number; address: string; ip: string; lang: Lang },
): Promise<void> {
  const purpose = (Object.keys(PURPOSES) as CodePurpose[]).find((name) => PURPOSES[name] === type)
  if (!purpose) throw new AppError('codeKind')
  const at = now(context)
  const network = networkOf(ip)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await context.db.transaction(async (tx) => {
    await holdCounts(tx, address, network)
    const counts = await countCodes(tx, address, network, new Date(at.getTime() - DAY))
    const placed = await putCode(tx, {
      purpose: type,
      address,
      hash: hashCode(context, type, address, code),
      at,
      resendAt: new Date(at.getTime() + CODE_RESEND),
      expiresAt: new Date(at.getTime() + CODE_LIFE),
    })
    if (placed === 0) throw new AppError('codeTooSoon', { seconds: await secondsToNext(tx, type, address, at) })
    if (counts.to_address >= CODES_PER_ADDRESS_DAY || counts.from_network >= CODES_PER_IP_DAY)
      throw new AppError('tooManyCodes')
    await logCode(tx, address, network, at)
    await postMail(context, tx, address, codeLetter(lang, purpose, code))
  })
}

/**
 * Takes one of the five tries of the address's code.
 * @throws AppError invalidCode, codeExpired, or codeLocked with the seconds until a new code may be asked for
 */
export async function checkCode(
  context: Needs,
  purpose: CodePurpose,
  address: string,
  code: string,
): Promise<FittingCode> {
  const at = now(context)
  const type = PURPOSES[purpose]
  const hash = hashCode(context, type, address, code)
  const lockedUntil = new Date(at.getTime() + LOCK)
  const tried = await tryCode(context.db, { purpose: type, address, hash, at, tries: CODE_TRIES, lockedUntil })
  if (tried?.fits)
    return {
      async use(tx) {
        if ((await removeCode(tx, type, address, hash)) === 0) throw new AppError('codeExpired')
      },
    }
  if (tried && tried.tries < CODE_TRIES) throw new AppError('invalidCode')
  const known = await findCode(context.db, type, address)
  if (known && known.tries >= CODE_TRIES && known.resend_at > at)
    throw new AppError('codeLocked', { seconds: secondsUntil(known.resend_at, at) })
  throw new AppError('codeExpired')
}

async function secondsToNext(tx: Db, type: number, address: string, at: Date): Promise<number> {
  const known = await findCode(tx, type, address)
  return known ? secondsUntil(known.resend_at, at) : 1
}

const secondsUntil = (time: Date, at: Date) => Math.max(1, Math.ceil((time.getTime() - at.getTime()) / 1000))

/** A million codes are quickly hashed: only the pepper keeps a stolen table from telling them. */
const hashCode = ({ keys }: Pick<Context, 'keys'>, type: number, address: string, code: string): Buffer =>
  createHmac('sha256', keys.pepper).update(`code ${type} ${address} ${code}`).digest()
