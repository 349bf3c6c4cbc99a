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
  waitingAsk,
} from './service.ts'
import { answersTogether, auditTogether, groupTogether, nodesAlone, TOGETHER_MAX, TOGETHER_SMALL } from './together.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand'>

const PER_NODE = 4
/** A slow node delays its batch. */
const BATCH = 64
/** Copies per run that are audited together. */
const BATCH_TOGETHER = 256
const TIMEOUT_MS = transferTimeout(SAMPLE_MAX)

/** Runs the server's own audits: without validators, those that wait, so that copies on edges can count there too. */
export async function runServerAudits(context: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const assigned = await context.db.transaction(async (tx) => {
      if (!(await repository.hasValidators(tx))) {
        await openAudits(context, tx, await chooseWaiting(context, tx), { alone: true })
      }
      return assignTasks(context, tx, SERVER, BATCH_TOGETHER + BATCH)
    })
    if (assigned.length === 0) return
    const fresh = await freshAmong(context, assigned.map(copyOf))
    const { groups, alone } = groupTogether(assigned, (audit) => !audit.requested && fresh.has(keyOf(copyOf(audit))))
    const results = await Promise.all([runAlone(context, alone), ...groups.map((group) => runGroup(context, group))])
    await recordAuditResults(context, SERVER, results.flat())
  }
}

const copyOf = ({ cid, node_id: nodeId }: AuditTask): placement.Copy => ({ cid, nodeId })
const keyOf = ({ cid, nodeId }: placement.Copy): string => `${cid} ${nodeId}`

/** Copies that can be audited together. */
const freshAmong = async (context: Deps, copies: readonly placement.Copy[]): Promise<Set<string>> => {
  const able = copies.filter(({ nodeId }) => answersTogether(context, nodeId))
  return new Set((await placement.findFreshSmall(context.db, able, TOGETHER_SMALL)).map(keyOf))
}

/**
 * Few copies of each node, because a node that answers slowly delays all, and many that are audited together. They are looked for apart:
 * copies of one kind, of a few nodes, must not keep those of others from their turn.
 */
async function chooseWaiting(context: Deps, tx: Db): Promise<placement.Copy[]> {
  const fresh = await placement.findWaitingFresh(
    tx,
    waitingAsk(context, { perNode: TOGETHER_MAX, limit: BATCH_TOGETHER }),
    TOGETHER_SMALL,
    nodesAlone(context),
  )
  const known = new Set(fresh.map(keyOf))
  const few = await replicasToAudit(context, tx, { perNode: PER_NODE, limit: BATCH })
  return [...fresh, ...few.filter((copy) => !known.has(keyOf(copy)))]
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
