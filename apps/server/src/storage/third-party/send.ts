import type { ThirdPartyReason } from '@tidenet/contract'
import { enterpriseAccounts, paidAccounts } from '../../identity/index.ts'
import { now } from '../context.ts'
import { planning, replicas as repository } from '../third-party-records/records.ts'
import type { Stored } from './adapter.ts'
import { carFromNodes } from './blocks.ts'
import { providersOf } from './providers.ts'
import { type Deps, SECOND, type Work } from './work-types.ts'

/** Sends contents to providers, and has them removed there. */

/** While bytes are sent, the agreement is read again after so much time, and after so many bytes. */
const AGREED_EVERY = { ms: SECOND, bytes: 4 * 1024 * 1024 }
/** After these, the provider may still have what it had. */
export const OUTAGES: readonly (ThirdPartyReason | null)[] = ['unreachable', 'unconfigured']

/** Nobody lets the provider have the content any longer. */
export class Withdrawn extends Error {}

/** @returns whether the provider was asked */
export async function remove({ context, provider, replica, content, signal }: Work): Promise<boolean> {
  if (replica.external_id !== null) await provider.remove(replica.external_id, content, signal)
  await forget(context, replica)
  return replica.external_id !== null
}

/** The provider has nothing of it. */
export function forget(context: Deps, { id, cid }: Pick<Work['replica'], 'id' | 'cid'>): Promise<void> {
  return context.db.transaction(async (tx) => {
    // It may be wanted again since.
    await planning.planAgain(tx, [cid], now(context))
    await repository.deleteReplica(tx, id)
  })
}

/** @returns whether the provider was asked. @throws Withdrawn, before any byte is sent or while they are */
export async function send(work: Work): Promise<boolean> {
  const { context, provider, replica, content, signal } = work
  const { db } = context
  await requireAgreement(work)
  if (!(await repository.markSending(db, replica.id))) return false
  if (replica.state === 'failed' && replica.external_id) {
    if (OUTAGES.includes(replica.reason)) {
      // It is asked and read back first, instead of sent again.
      const at = now(context)
      await repository.changeReplica(db, replica.id, { state: 'inProgress', tries: 0, nextAt: at }, at)
      return false
    }
    // What it lost or never had must not be taken for the new one.
    await provider.remove(replica.external_id, content, signal)
  }
  const origins = provider.kind === 'pinning' ? await originsOf(context, content, signal) : []
  const externalId = await provider.add(content, { origins, car: () => whileAgreed(work), signal })
  const at = now(context)
  await repository.changeReplica(db, replica.id, { state: 'inProgress', externalId, nextAt: at }, at)
  return true
}

/** Plans follow a change within seconds; the bytes must not leave until then. @throws Withdrawn */
async function requireAgreement({ context: { db }, replica }: Work): Promise<void> {
  const accounts = { paid: paidAccounts, enterprise: enterpriseAccounts }
  const [wanted] = await planning.findWanted(db, [replica.cid], accounts)
  // What was paid for stays until it expires, also if it has to be sent again.
  if (!wanted || (!wanted.paid && replica.stored_at === null)) throw new Withdrawn()
}

async function* whileAgreed(work: Work): AsyncIterable<Uint8Array> {
  let checkAt = 0
  let sent = 0
  for await (const part of carFromNodes(work.context, work.content, work.signal)) {
    if (performance.now() >= checkAt || sent >= AGREED_EVERY.bytes) {
      await requireAgreement(work)
      checkAt = performance.now() + AGREED_EVERY.ms
      sent = 0
    }
    sent += part.length
    yield part
  }
}

/** Addresses of providers that store the content and let others fetch it; those that cannot be asked are left out. */
async function originsOf(context: Work['context'], content: Stored, signal: AbortSignal): Promise<string[]> {
  const stored = new Set(await repository.storedAt(context.db, content.cid.toString()))
  const found: string[] = []
  for (const { name, origins } of providersOf(context)) {
    if (!origins || !stored.has(name)) continue
    try {
      found.push(...(await origins(signal)))
    } catch {
      signal.throwIfAborted()
    }
  }
  return found
}
