import { readSample, SAMPLE_MAX, SAMPLE_SILENCE_MS } from '@tidenet/content/read-sample'
import { transferTimeout } from '@tidenet/contract'
import { clientGet, NotPassedOn } from '@tidenet/daemon'
import { readCid } from '../../platform/cids.ts'
import type { Context } from '../context.ts'
import { openAudits, SERVER } from './open.ts'
import * as repository from './repository.ts'
import { type AuditTask, assignAudits, recordAuditResults, replicasToAudit } from './service.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand'>

const PER_NODE = 4
/** A slow node delays its batch. */
const BATCH = 64
const TIMEOUT_MS = transferTimeout(SAMPLE_MAX)

/** Runs the server's own audits: without validators, those that wait, so that copies on edges can count there too. */
export async function runServerAudits(context: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const assigned = await context.db.transaction(async (tx) => {
      if (!(await repository.hasValidators(tx))) {
        const waiting = await replicasToAudit(context, tx, { perNode: PER_NODE, limit: BATCH })
        await openAudits(context, tx, waiting, { alone: true })
      }
      return assignAudits(context, tx, SERVER, BATCH)
    })
    if (assigned.length === 0) return
    const results = await Promise.all(assigned.map((audit) => runAudit(context, audit)))
    await recordAuditResults(
      context,
      SERVER,
      results.filter((result) => result !== undefined),
    )
  }
}

/** @returns undefined if another node did not pass it on */
async function runAudit({ config }: Deps, { id, cid, kind, size, position, address }: AuditTask) {
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
