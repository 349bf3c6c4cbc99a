import { randomInt, randomUUID } from 'node:crypto'
import { cidText, MAX_BLOCK_SIZE } from '@tidenet/content/cid'
import { walkToLeaf } from '@tidenet/content/walk-to-leaf'
import { transferTimeout } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'
import { type Context, now } from '../context.ts'
import { readNode } from '../nodes/fetch-node.ts'
import * as repository from './repository.ts'
import { type AuditTask, assignAudits, recordAuditResults, replicasToAudit } from './service.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand'>

/** Stands for a validator id: the server audits if there is no validator. */
const SERVER = 'server'
const PER_NODE = 4
/** A slow node delays its batch. */
const BATCH = 64
/** Inner blocks are small: all blocks of an audit are less than two of the largest. */
const TIMEOUT_MS = transferTimeout(2 * MAX_BLOCK_SIZE)

/** Runs waiting audits if there is no validator, so that copies on edges can count there too. */
export async function runServerAudits(context: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const assigned = await context.db.transaction(async (tx) => {
      if ((await repository.findValidators(tx, Number.MAX_SAFE_INTEGER)).length > 0) return []
      const waiting = await replicasToAudit(context, tx, { perNode: PER_NODE, limit: BATCH })
      if (waiting.length === 0) return []
      const audits = waiting.map(({ cid, nodeId }) => ({
        id: randomUUID(),
        cid,
        nodeId,
        validatorId: SERVER,
        position: randomInt(2 ** 32) / 2 ** 32,
      }))
      await repository.insertAudits(tx, audits, now(context))
      return assignAudits(context, tx, SERVER, BATCH)
    })
    if (assigned.length === 0) return
    await recordAuditResults(context, SERVER, await Promise.all(assigned.map((audit) => runAudit(context, audit))))
  }
}

async function runAudit(context: Deps, { id, cid, position, address }: AuditTask) {
  const startedAt = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error('timeout')), TIMEOUT_MS)
  const result = (error: string) => ({ id, passed: error === '', error, ms: Math.round(performance.now() - startedAt) })
  try {
    await walkToLeaf(readCid(cid).cid, position, (block) =>
      readNode(
        context,
        `${address.url.replace(`/ipfs/${cid}?`, `/ipfs/${cidText(block)}?`)}&format=raw`,
        MAX_BLOCK_SIZE,
        timeout.signal,
      ),
    )
    return result('')
  } catch (error) {
    return result((error instanceof Error ? error.message : 'unknown').slice(0, 300))
  } finally {
    clearTimeout(timer)
  }
}
