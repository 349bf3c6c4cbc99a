import { randomBytes, randomInt } from 'node:crypto'
import type { contract, Parsed } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import * as nodes from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import * as placement from '../placement/placement.ts'
import { type AuditAddresses, auditAddresses } from './addresses.ts'
import { MAX_PER_VALIDATOR, openAudits, SERVER } from './open.ts'
import * as repository from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config'>
type Result = Parsed<typeof contract.nodeControl.audits>['results'][number]

/** Nodes per run, and open audits per audited node. */
const BATCH = 300
const MAX_PER_NODE = 10

/** Opens one audit for each node that is due, if there are validators. */
export async function auditDue(context: Deps): Promise<void> {
  const at = now(context)
  const { auditEvery, auditDoubtfulEvery, outage } = timesOf(context.config)
  await restoreWithoutCopies(context.db, {
    failedBefore: new Date(at.getTime() - outage),
    heardSince: heardSince(context),
  })
  const due = { heardSince: heardSince(context), means: { trusted: auditEvery, doubtful: auditDoubtfulEvery } }
  await context.db.transaction(async (tx) => {
    if ((await repository.findValidators(tx, MAX_PER_VALIDATOR)).length === 0) return
    const claimed = await nodes.claimForAudit(tx, due, BATCH, at)
    if (claimed.length === 0) return
    const picked = await placement.pickReplicas(
      tx,
      claimed.map(({ id }) => ({ id, from: randomCids() })),
    )
    await openAudits(context, tx, picked)
  })
}

/** An abnormal node without copies could never pass an audit again, so its status is restored. */
async function restoreWithoutCopies(db: Db, period: Record<'failedBefore' | 'heardSince', Date>): Promise<void> {
  const failing = await nodes.findFailing(db, period)
  const empty = failing.length > 0 ? await placement.withoutCopies(db, failing) : []
  if (empty.length > 0) await nodes.restoreStanding(db, empty, period)
}

/**
 * Opens audits of unverified and suspect replicas.
 * @param nodeIds only replicas of these nodes; default: all
 */
export async function auditWaiting(context: Deps, nodeIds?: readonly string[]): Promise<void> {
  await context.db.transaction(async (tx) => {
    // Without validators, the server finds the same copies by itself.
    if (!(await repository.hasValidators(tx))) return
    await openAudits(context, tx, await replicasToAudit(context, tx, { perNode: MAX_PER_NODE, limit: BATCH }, nodeIds))
  })
}

export const replicasToAudit = (
  context: Deps,
  tx: Db,
  most: { perNode: number; limit: number },
  nodeIds?: readonly string[],
): Promise<placement.Copy[]> => placement.findWaiting(tx, waitingAsk(context, most), nodeIds)

export const waitingAsk = (context: Deps, most: { perNode: number; limit: number }): placement.WaitingAsk => {
  const { auditFirst: first, auditAgain: again } = timesOf(context.config)
  return { ...most, heardSince: heardSince(context), first, again, at: now(context) }
}

const heardSince = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Date =>
  new Date(clock.now() - timesOf(config).silentAfter)

/** Random CIDs of a file and a folder, in random order: a random content of a node is the next one after them. */
function randomCids(): [string, string] {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  const tail = Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join('')
  return randomInt(2) === 0 ? [`bafkrei${tail}`, `bafybei${tail}`] : [`bafybei${tail}`, `bafkrei${tail}`]
}

/** An assigned audit. */
export interface AuditTask extends repository.AssignedAudit {
  kind: 'file' | 'folder'
  /** Bytes of the content. */
  size: number
}

/** An assigned audit with the address that the auditor reads from. */
export interface AddressedAudit extends AuditTask {
  address: AuditAddresses
}

/** Assigns open audits to a validator. */
export async function assignAudits(
  context: Pick<Context, 'clock' | 'keys' | 'demand'>,
  db: Db,
  validatorId: string,
  limit: number,
): Promise<AddressedAudit[]> {
  return addressAudits(context, db, await assignTasks(context, db, validatorId, limit))
}

/** Assigns open audits to a validator, without their addresses. */
export async function assignTasks(
  context: Pick<Context, 'clock'>,
  db: Db,
  validatorId: string,
  limit: number,
): Promise<AuditTask[]> {
  const assigned = await repository.assignAudits(db, validatorId, limit, now(context))
  if (assigned.length === 0) return []
  const contents = await placement.findContents(
    db,
    assigned.map(({ cid }) => cid),
  )
  return assigned.flatMap((audit) => {
    const content = contents.get(audit.cid)
    return content ? [{ ...audit, kind: content.kind, size: content.size }] : []
  })
}

export async function addressAudits(
  context: Pick<Context, 'clock' | 'keys' | 'demand'>,
  db: Db,
  tasks: readonly AuditTask[],
): Promise<AddressedAudit[]> {
  if (tasks.length === 0) return []
  const addresses = await auditAddresses(context, db, tasks)
  return tasks.map((task, index) => ({ ...task, address: addresses[index] as AuditAddresses }))
}

/** The given nodes that have unassigned audits to run. */
export const validatorsWithAudits = (db: Db, nodeIds: readonly string[]): Promise<string[]> =>
  repository.validatorsWithAudits(db, nodeIds)

/**
 * Records results of an auditor. A replica that failed becomes suspect; when another auditor confirms it, the replica is lost and the
 * failure counts. A suspect replica that passes counts again.
 * @returns how many results were accepted: assigned to this validator and in time
 */
export async function recordAuditResults(
  context: Deps,
  validatorId: string,
  results: readonly Result[],
): Promise<number> {
  const at = now(context)
  const byId = new Map(results.map((result) => [result.id, result]))
  const { outage, auditCountsEvery, auditHalfLife: halfLife } = timesOf(context.config)
  const sameSince = new Date(at.getTime() - outage)
  const countedSince = new Date(at.getTime() - auditCountsEvery)
  const done = await context.db.transaction(async (tx) => {
    const open = await repository.findOpen(tx, validatorId, [...byId.keys()])
    await placement.lockContents(
      tx,
      open.map((audit) => audit.cid),
    )
    const done = await repository.closeAudits(
      tx,
      open.map(({ id }) => ({ id, passed: byId.get(id)?.passed ?? false, error: byId.get(id)?.error ?? '' })),
      { heardSince: heardSince(context), reachedSince: new Date(at.getTime() - nodes.VIA_MS) },
      at,
    )
    const passed = done.filter((audit) => audit.state === 'passed')
    const failed = await placement.recordFailed(
      tx,
      done
        .filter((audit) => audit.doubtful)
        .map(({ via_id: via, assigned_at: began, state, ...audit }) => {
          return { ...audit, began, auditor: validatorId, via: via ?? '', excused: state === 'late' }
        }),
      { trusted: SERVER, sameSince },
      at,
    )
    const claimed = new Set((await placement.findClaimed(tx, passed)).map(pairOf))
    const stored = await placement.recordPassed(tx, passed, at)
    await placement.checkContents(
      tx,
      [...failed, ...stored.filter(({ unexpected }) => unexpected)].map((audit) => audit.cid),
      at,
    )
    await placement.notifyWaitingNodes(
      tx,
      stored.map((audit) => audit.cid),
      at,
    )
    // An owner may request audits of copies on its own node; passing them must not make up for failed ones.
    // Nor must those that the node says are missing: a new copy would then seem to be one that was confirmed before.
    const counted = passed.filter(({ requested }) => !requested).filter((audit) => claimed.has(pairOf(audit)))
    // Nor must new copies, which a node may delete as soon as they are confirmed.
    const first = new Set(stored.filter((copy) => copy.first).map(pairOf))
    const outcomes = [
      ...failed.map((audit) => ({ ...audit, state: 'failed' as const, first: false })),
      ...counted.map((audit) => ({ ...audit, first: first.has(pairOf(audit)) })),
    ]
    await nodes.recordOutcomes(tx, outcomes, { sameSince, countedSince, halfLife }, at)
    const confirmed = new Set(failed.map(pairOf))
    const counting = [
      ...counted.filter((audit) => !first.has(pairOf(audit))),
      ...done.filter((audit) => audit.doubtful && confirmed.has(pairOf(audit))),
    ]
    await repository.markCounted(
      tx,
      counting.map(({ id }) => id),
    )
    await nodes.recordReachedVia(tx, nodesOf(passed.filter(({ via_id }) => via_id !== null)), at)
    await nodes.recordRates(tx, [`auditor ${validatorId}`], ratesOf(passed, byId), at)
    return done
  })
  if (done.length > 0) await auditWaiting(context, [...new Set(done.map((audit) => audit.node_id))])
  return done.length
}

const pairOf = ({ cid, node_id }: { cid: string; node_id: string }): string => `${cid} ${node_id}`

const nodesOf = (audits: readonly repository.ClosedAudit[]) => [...new Set(audits.map(({ node_id }) => node_id))].sort()

/** What the auditor measured of the nodes, unless another node passed the bytes on. */
const ratesOf = (passed: readonly repository.ClosedAudit[], results: ReadonlyMap<string, Result>): nodes.RateSample[] =>
  passed
    .filter(({ via_id }) => via_id === null)
    .map(({ id, node_id: nodeId }) => {
      const { bytes = 0, ms = 0 } = results.get(id) ?? {}
      return { nodeId, bytes, ms }
    })

/** Closes audits without a result in time. They do not affect the node. */
export const closeLate = (context: Deps) =>
  repository.markLate(context.db, new Date(context.clock.now() - timesOf(context.config).auditTimeout), now(context))
