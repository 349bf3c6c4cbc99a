import { isAgentRole } from '@tidenet/contract'
import { countPresentWorkspaces } from '../../compute/index.ts'
import {
  beginErasing,
  endSessionsOf,
  findClosing,
  findErasing,
  findToErase,
  finishErasing,
  lockAccountForUpdate,
  postponeClosing,
} from '../../identity/index.ts'
import { unlinkDevicesOf } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { type ErasedAccount, runSteps } from '../../platform/erase.ts'
import type { Feature } from '../../platform/feature.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import type { Task } from '../../platform/tasks/tasks.ts'
import { type Context, now } from '../context.ts'
import { erasedEmail } from './emails.ts'
import { obligationsOf } from './service.ts'

type Features = readonly Pick<Feature<Context>, 'erase'>[]

/** Nodes report transfers, and hours of devices are closed, for some time after an account can no longer be used. */
const SETTLING_MS = { usual: 3 * 3_600_000, quick: 0 }
/** Accounts per run. */
const BATCH = 20

/**
 * Deletes accounts whose seven days are over. First each is locked for good, then its data is deleted in small transactions. It can be killed
 * at any time, and run on several servers at once.
 */
export async function eraseDue(context: Context, features: Features, signal: AbortSignal): Promise<void> {
  const at = now(context)
  for (const account of await findToErase(context.db, at, BATCH)) await begin(context, account, at)
  for (const account of await findErasing(context.db, ago(at, SETTLING_MS[context.config.pace]), BATCH)) {
    const steps = features.flatMap(({ erase }) => erase?.(account, at) ?? [])
    if (!(await runSteps(context, steps, signal))) return
    await finish(context, account)
  }
}

/**
 * Locks the account, unless its owner has kept it meanwhile. If something would be lost, or it has become an operator's, it is tried again a
 * day later.
 */
const begin = (context: Context, { id, uid }: ErasedAccount, at: Date): Promise<void> =>
  context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, id)
    const obligations = Object.values(await obligationsOf(tx, id)).some((count) => count > 0)
    const { role } = await findClosing(tx, id)
    if (obligations || isAgentRole(role) || (await countPresentWorkspaces(tx, id)) > 0) {
      await postponeClosing(tx, id, at, new Date(at.getTime() + DAY))
      return
    }
    if ((await beginErasing(tx, id, at)) === 0) return
    await endSessionsOf(tx, id, at)
    await unlinkDevicesOf(tx, id)
    await audit(tx, context, 'system', { ip: '' }, { action: 'account.erase', subject: `user:${uid}` })
  })

const finish = (context: Context, { id, email }: ErasedAccount): Promise<void> =>
  context.db.transaction(async (tx) => {
    if ((await finishErasing(tx, id, now(context))) === 0) return
    if (email !== null) await queueEmail(context, tx, email, erasedEmail())
  })

export const eraseTask = (features: Features): Task<Context> => ({
  name: 'erase-accounts',
  every: { usual: 60_000, quick: 1000 },
  run: (context, signal) => eraseDue(context, features, signal),
})
