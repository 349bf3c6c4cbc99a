import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { contract, Parsed } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { auditAddress } from '../nodes/node-tokens.ts'
import * as nodes from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import * as placement from '../placement/placement.ts'
import * as repository from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config'>
type Result = Parsed<typeof contract.nodeControl.audits>['results'][number]

/** Nodes audited in one round at most, and audits that a validator may have before it at most. */
const ROUND = 300
const BEFORE_ONE = 30
/** Audits of one node that wait at the same time. */
const OF_ONE = 10

/** Picks nodes whose turn it is and one of their contents each, and gives them to validators, if there are any. */
export async function auditDue(context: Needs): Promise<void> {
  const at = now(context)
  const { auditEach, auditAgain, outage } = timesOf(context.config)
  await restoreWithoutCopies(context.db, {
    failedBefore: new Date(at.getTime() - outage),
    heardSince: heardSince(context),
  })
  const turn = {
    before: new Date(at.getTime() - auditEach),
    suspectBefore: new Date(at.getTime() - auditAgain),
    heardSince: heardSince(context),
  }
  await context.db.transaction(async (tx) => {
    if ((await repository.findValidators(tx, BEFORE_ONE)).length === 0) return
    const due = await nodes.claimForAudit(tx, turn, ROUND, at)
    if (due.length === 0) return
    const picked = await placement.pickReplicas(
      tx,
      due.map(({ id }) => ({ id, from: randomCids() })),
    )
    await openAudits(context, tx, picked)
  })
}

/** A node whose copies were all given up has nothing left to be audited by: it gets another chance. */
async function restoreWithoutCopies(db: Db, patience: Record<'failedBefore' | 'heardSince', Date>): Promise<void> {
  const failing = await nodes.findFailing(db, patience)
  const empty = failing.length > 0 ? await placement.withoutCopies(db, failing) : []
  if (empty.length > 0) await nodes.restoreStanding(db, empty, patience)
}

/**
 * Audits what waits for it: what edges say they have pulled counts only then, and what failed once is looked at again soon.
 * @param nodeIds only of these; all when left out
 */
export async function auditWaiting(context: Needs, nodeIds?: readonly string[]): Promise<void> {
  await context.db.transaction(async (tx) => {
    await openAudits(context, tx, await waitingFor(context, tx, { perNode: OF_ONE, limit: ROUND }, nodeIds))
  })
}

export const waitingFor = (
  context: Needs,
  tx: Db,
  most: { perNode: number; limit: number },
  nodeIds?: readonly string[],
): Promise<{ cid: string; nodeId: string }[]> => {
  const doneBefore = new Date(context.clock.now() - timesOf(context.config).auditAgain)
  return placement.findWaiting(tx, { ...most, heardSince: heardSince(context), doneBefore }, nodeIds)
}

/** Opens an audit of each of these replicas, unless one is open. */
export async function openAudits(
  context: Pick<Context, 'clock'>,
  tx: Db,
  replicas: readonly { cid: string; nodeId: string }[],
): Promise<void> {
  if (replicas.length === 0) return
  const validators = await repository.findValidators(tx, BEFORE_ONE)
  const audits = replicas.flatMap(({ cid, nodeId }) => {
    const able = validators.filter((validator) => validator.id !== nodeId && validator.open < BEFORE_ONE)
    const validator = able[randomInt(Math.max(1, able.length))]
    if (!validator) return []
    validator.open += 1
    return [{ id: randomUUID(), cid, nodeId, validatorId: validator.id, position: randomInt(2 ** 32) / 2 ** 32 }]
  })
  await repository.insertAudits(tx, audits, now(context))
}

const heardSince = ({ clock, config }: Pick<Needs, 'clock' | 'config'>): Date =>
  new Date(clock.now() - timesOf(config).silentAfter)

/** Where a random content of a node is looked for: the next file or folder after a CID that chance made, in either order. */
function randomCids(): [string, string] {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  const tail = Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join('')
  return randomInt(2) === 0 ? [`bafkrei${tail}`, `bafybei${tail}`] : [`bafybei${tail}`, `bafkrei${tail}`]
}

/** An audit that a validator was given, with the address that it reads from. */
export interface Task extends repository.Given {
  kind: 'file' | 'folder'
  address: { url: string; token: string }
}

/** Gives a validator audits that wait for it. */
export async function assignAudits(
  context: Pick<Context, 'clock' | 'keys' | 'demand'>,
  db: Db,
  validatorId: string,
  limit: number,
): Promise<Task[]> {
  const given = await repository.assignAudits(db, validatorId, limit, now(context))
  if (given.length === 0) return []
  const cids = given.map(({ cid }) => cid)
  const contents = await placement.findContents(db, cids)
  const readers = await context.demand.readersOf(db, cids)
  const tasks = given.map(async (audit) => {
    const kind = contents.get(audit.cid)?.kind
    return kind && { ...audit, kind, address: await auditAddress(context, audit, readers.get(audit.cid)) }
  })
  return (await Promise.all(tasks)).filter((task) => task !== undefined)
}

/** Those of these nodes for which audits wait. */
export const validatorsWithAudits = (db: Db, nodeIds: readonly string[]): Promise<string[]> =>
  repository.validatorsWithAudits(db, nodeIds)

/**
 * Takes what a validator found. A replica that failed counts no more and is made anew elsewhere; one that was in doubt
 * and passes counts again.
 * @returns how many were its to answer, and answered in time
 */
export async function recordAuditResults(
  context: Needs,
  validatorId: string,
  results: readonly Result[],
): Promise<number> {
  const at = now(context)
  const byId = new Map(results.map((result) => [result.id, result]))
  const sameSince = new Date(at.getTime() - timesOf(context.config).outage)
  const done = await context.db.transaction(async (tx) => {
    const open = await repository.findOpen(tx, validatorId, [...byId.keys()])
    await placement.lockContents(
      tx,
      open.map((audit) => audit.cid),
    )
    const done = await repository.closeAudits(
      tx,
      validatorId,
      open.map(({ id }) => ({ id, passed: byId.get(id)?.passed ?? false, error: byId.get(id)?.error ?? '' })),
      heardSince(context),
      at,
    )
    const failed = done.filter((audit) => audit.state === 'failed')
    const passed = done.filter((audit) => audit.state === 'passed')
    await placement.markSuspect(tx, failed, sameSince, at)
    const found = await placement.recordPassed(tx, passed, at)
    await placement.checkContents(
      tx,
      [...failed, ...found.filter(({ news }) => news)].map((audit) => audit.cid),
      at,
    )
    await placement.notifyWaitingNodes(
      tx,
      found.map((audit) => audit.cid),
      at,
    )
    await nodes.recordOutcomes(tx, [...failed, ...passed], sameSince, at)
    return done
  })
  if (done.length > 0) await auditWaiting(context, [...new Set(done.map((audit) => audit.node_id))])
  return done.length
}

/** Audits that nobody answered in time count for nothing. */
export const closeLate = (context: Needs) =>
  repository.markLate(context.db, new Date(context.clock.now() - timesOf(context.config).auditAnswer), now(context))
