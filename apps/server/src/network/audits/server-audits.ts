import { randomInt } from 'node:crypto'
import { readSample, SAMPLE_MAX, SAMPLE_SILENCE_MS } from '@tidenet/content/read-sample'
import { transferTimeout } from '@tidenet/contract'
import { clientGet, NotPassedOn } from '@tidenet/daemon'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Context } from '../context.ts'
import * as placement from '../placement/placement.ts'
import { openAudits, SERVER } from './open.ts'
import * as repository from './repository.ts'
import {
  type AddressedAudit,
  type AuditTask,
  addressAudits,
  assignTasks,
  recordAuditResults,
  replicasToAudit,
} from './service.ts'
import { answersTogether, auditTogether, groupTogether, TOGETHER_MAX, TOGETHER_SMALL } from './together.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand'>

const PER_NODE = 4
/** A slow node delays its batch. */
const BATCH = 64
/** Copies per run, if most of them are audited together. */
const BATCH_TOGETHER = 256
const TIMEOUT_MS = transferTimeout(SAMPLE_MAX)

/** Runs the server's own audits: without validators, those that wait, so that copies on edges can count there too. */
export async function runServerAudits(context: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const assigned = await context.db.transaction(async (tx) => {
      if (!(await repository.hasValidators(tx))) {
        const most = { perNode: TOGETHER_MAX, limit: BATCH_TOGETHER }
        const waiting = await replicasToAudit(context, tx, most)
        await openAudits(context, tx, await chooseWaiting(context, tx, waiting), { alone: true })
      }
      return assignTasks(context, tx, SERVER, BATCH_TOGETHER)
    })
    if (assigned.length === 0) return
    const fresh = await freshAmong(context, context.db, assigned.map(copyOf))
    const { groups, alone } = groupTogether(assigned, (audit) => !audit.requested && fresh.has(keyOf(copyOf(audit))))
    const results = await Promise.all([runAlone(context, alone), ...groups.map((group) => runGroup(context, group))])
    await recordAuditResults(context, SERVER, results.flat())
  }
}

const copyOf = ({ cid, node_id: nodeId }: AuditTask): placement.Copy => ({ cid, nodeId })
const keyOf = ({ cid, nodeId }: placement.Copy): string => `${cid} ${nodeId}`

/** Copies that can be audited together. */
const freshAmong = async (context: Deps, db: Db, copies: readonly placement.Copy[]): Promise<Set<string>> => {
  const able = copies.filter(({ nodeId }) => answersTogether(context, nodeId))
  return new Set((await placement.findFreshSmall(db, able, TOGETHER_SMALL)).map(keyOf))
}

/** Keeps many copies of a node only if they can be audited together: a node that answers slowly must not delay others. */
async function chooseWaiting(context: Deps, tx: Db, waiting: readonly placement.Copy[]): Promise<placement.Copy[]> {
  const fresh = await freshAmong(context, tx, waiting)
  const ofNode = new Map<string, number>()
  let alone = 0
  return waiting.filter((copy) => {
    if (fresh.has(keyOf(copy))) return true
    const before = ofNode.get(copy.nodeId) ?? 0
    if (before >= PER_NODE || alone >= BATCH) return false
    ofNode.set(copy.nodeId, before + 1)
    alone += 1
    return true
  })
}

/**
 * Audits copies of one node together. Of the copies that did not pass, a few at random are audited alone; the others are chosen again, and
 * then audited one by one. A wrong answer to a request for many copies is no failed audit.
 */
async function runGroup(context: Deps, group: readonly AuditTask[]) {
  const passed = await auditTogether(context, group)
  const known = new Set(passed.map(({ id }) => id))
  const left = group.filter(({ id }) => !known.has(id))
  if (left.length === 0) return passed
  while (left.length > PER_NODE) left.splice(randomInt(left.length), 1)
  const alone = await runAlone(context, left)
  const begun = new Set([...known, ...left.map(({ id }) => id)])
  await repository.withdrawAudits(
    context.db,
    SERVER,
    group.map(({ id }) => id).filter((id) => !begun.has(id)),
  )
  return [...passed, ...alone]
}

async function runAlone(context: Deps, tasks: readonly AuditTask[]) {
  const addressed = await addressAudits(context, context.db, tasks)
  const results = await Promise.all(addressed.map((audit) => runAudit(context, audit)))
  return results.filter((result) => result !== undefined)
}

/** @returns undefined if another node did not pass it on */
async function runAudit({ config }: Deps, { id, cid, kind, size, position, address }: AddressedAudit) {
  const startedAt = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error('timeout')), TIMEOUT_MS)
  const result = (error: string, bytes = 0) => {
    const ms = Math.round(performance.now() - startedAt)
    return { id, passed: error === '', error, ms, bytes }
  }
  const get = clientGet({
    withinMs: TIMEOUT_MS,
    silenceMs: SAMPLE_SILENCE_MS,
    privateToo: config.privateNodes,
    via: address.via,
    signal: timeout.signal,
  })
  try {
    return result('', await readSample({ root: readCid(cid).cid, kind, size, position, ...address }, get))
  } catch (error) {
    if (error instanceof NotPassedOn) return undefined
    return result((error instanceof Error ? error.message : 'unknown').slice(0, 300))
  } finally {
    clearTimeout(timer)
  }
}
