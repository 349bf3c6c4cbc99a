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
import { clientNetworkOf, secondsUntil } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { type CodePurpose, codeEmail } from '../../platform/mail/templates.ts'
import { type Context, now } from '../context.ts'
import {
  countCodes,
  findResend,
  isUsedUp,
  lockCodeCounts,
  lockCodes,
  logCode,
  putCode,
  tryCodes,
  useCode,
} from './codes-repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

/** Numbers of the purposes on the wire. */
export const PURPOSES = { register: 1, login: 2, reset: 3, node: 5 } as const satisfies Record<CodePurpose, number>

/*
 * Anybody may ask for a code of any address and type what they like, so neither may cost the owner anything: codes live side by side, the
 * network that asked for one has five tries of it that nobody else can use up, and all other networks have five together.
 *
 * What that gives a guesser: a code is compared with at most 5 + 5 wrong ones. An address gets 50 codes in 24 hours, for whichever purpose
 * and asked for from wherever, so at most 500 comparisons a day, each right once in a million: 1 in 2,000 a day, under 50 mails to the owner.
 * From one network it is 10 codes: 1 in 10,000 with the help of others, 1 in 20,000 alone. See decision 12.
 */

/** After the last wrong try: how long the address waits for its next code. */
const LOCK = CODE_RESEND
const DAY = 24 * 3600 * 1000

/** A right code; `use` spends it. */
export interface FittingCode {
  /** Spends the code in the caller's transaction. @throws AppError codeExpired when somebody else just did */
  use(tx: Db): Promise<void>
}

/**
 * Mails a new code; those before stay good until they end. Whether the address has an account plays no part, so nothing tells.
 * @param type the purpose's number
 * @throws AppError codeKind; codeTooSoon within 60 s of the last one; tooManyCodes above the day's limits
 */
export async function sendCode(
  context: Deps & Pick<Context, 'config'>,
  { type, address, ip, lang }: { type: number; address: string; ip: string; lang: Lang },
): Promise<void> {
  const purpose = (Object.keys(PURPOSES) as CodePurpose[]).find((name) => PURPOSES[name] === type)
  if (!purpose) throw new AppError('codeKind')
  const at = now(context)
  const network = clientNetworkOf(ip)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await context.db.transaction(async (tx) => {
    await lockCodeCounts(tx, address, network)
    const counts = await countCodes(tx, address, network, new Date(at.getTime() - DAY))
    const next = await findResend(tx, type, address)
    if (next && next > at) throw new AppError('codeTooSoon', { seconds: secondsUntil(next, at) })
    const { to_address, from_network, of_both } = counts
    const { codesPerNetwork } = context.config
    if (to_address >= CODES_PER_ADDRESS_DAY || of_both >= CODES_PER_NETWORK_DAY || from_network >= codesPerNetwork)
      throw new AppError('tooManyCodes')
    await putCode(tx, {
      purpose: type,
      address,
      network,
      hash: hashCode(context, type, address, code),
      resendAt: new Date(at.getTime() + CODE_RESEND),
      expiresAt: new Date(at.getTime() + CODE_LIFE),
    })
    await logCode(tx, address, network, at)
    await queueEmail(context, tx, address, codeEmail(lang, purpose, code))
  })
}

/**
 * Takes one of the network's five tries of each code of the address that lives.
 * @throws AppError invalidCode, codeExpired, or codeLocked with the seconds until a new code may be asked for
 */
export async function checkCode(
  context: Deps,
  purpose: CodePurpose,
  address: string,
  code: string,
  ip: string,
): Promise<FittingCode> {
  const at = now(context)
  const type = PURPOSES[purpose]
  const hash = hashCode(context, type, address, code)
  const lockedUntil = new Date(at.getTime() + LOCK)
  const guess = { purpose: type, address, network: clientNetworkOf(ip), hash, at, tries: CODE_ATTEMPTS, lockedUntil }
  const { db } = context
  const tried = await db.transaction(async (tx) => {
    await lockCodes(tx, address)
    return tryCodes(tx, guess)
  })
  if (tried.some(({ fits }) => fits))
    return {
      async use(tx) {
        if ((await useCode(tx, type, address, hash)) === 0) throw new AppError('codeExpired')
      },
    }
  if (tried.some(({ tries }) => tries < CODE_ATTEMPTS)) throw new AppError('invalidCode')
  const next = await findResend(db, type, address)
  if (next && next > at && (await isUsedUp(db, guess)))
    throw new AppError('codeLocked', { seconds: secondsUntil(next, at) })
  throw new AppError('codeExpired')
}

/** A million codes are quickly hashed: only the pepper keeps a stolen table from telling them. */
const hashCode = ({ keys }: Pick<Context, 'keys'>, type: number, address: string, code: string): Buffer =>
  createHmac('sha256', keys.pepper).update(`code ${type} ${address} ${code}`).digest()
