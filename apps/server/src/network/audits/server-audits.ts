import { randomInt, randomUUID } from 'node:crypto'
import { cidText, MAX_BLOCK_SIZE } from '@tidenet/content/cid'
import { walkToLeaf } from '@tidenet/content/walk-to-leaf'
import { readCid } from '../../platform/cids.ts'
import { type Context, now } from '../context.ts'
import { readNode } from '../nodes/fetch-node.ts'
import * as repository from './repository.ts'
import { assignAudits, recordAuditResults, type Task, waitingFor } from './service.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand'>

/** Stands for a validator id: the server audits if there is no validator. */
const SERVER = 'server'
const OF_ONE = 4
const ROUND = 20
const LIMIT_MS = 10_000

/** Runs waiting audits if there is no validator, so that copies on edges can count there too. */
export async function runServerAudits(context: Needs, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const given = await context.db.transaction(async (tx) => {
      if ((await repository.findValidators(tx, Number.MAX_SAFE_INTEGER)).length > 0) return []
      const waiting = await waitingFor(context, tx, { perNode: OF_ONE, limit: ROUND })
      if (waiting.length === 0) return []
      const audits = waiting.map(({ cid, nodeId }) => ({
        id: randomUUID(),
        cid,
        nodeId,
        validatorId: SERVER,
        position: randomInt(2 ** 32) / 2 ** 32,
      }))
      await repository.insertAudits(tx, audits, now(context))
      return assignAudits(context, tx, SERVER, ROUND)
    })
    if (given.length === 0) return
    await recordAuditResults(context, SERVER, await Promise.all(given.map((audit) => found(context, audit))))
  }
}

async function found(context: Needs, { id, cid, position, address }: Task) {
  const began = performance.now()
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error('it took too long')), LIMIT_MS)
  const result = (error: string) => ({ id, passed: error === '', error, ms: Math.round(performance.now() - began) })
  try {
    await walkToLeaf(readCid(cid).cid, position, (block) =>
      readNode(
        context,
        `${address.url.replace(`/ipfs/${cid}?`, `/ipfs/${cidText(block)}?`)}&format=raw`,
        MAX_BLOCK_SIZE,
        limit.signal,
      ),
    )
    return result('')
  } catch (error) {
    return result((error instanceof Error ? error.message : 'unknown').slice(0, 300))
  } finally {
    clearTimeout(timer)
  }
}
