import { type ClusterDriver, type LogLine, type WorkloadRef, writtenAt } from '../clusters/driver.ts'
import { type Context, now } from '../context.ts'
import { endOf, formatLine, type LogEnd, newLines } from './lines.ts'
import { addLines, claimDue, findHead, moveHead, pruneParts, setPause } from './repository.ts'

/** Logs that are read at the same time; each may be several MB. */
const PARALLEL = 4
/** Written at once; a part of the log is a little larger than this at most. */
const BATCH_BYTES = 48 * 1024

/**
 * Keeps what a program printed since the last call. Servers may do so at the same time: the end of the log is moved together with the lines
 * that are added, so a server that lost adds nothing, and one that is killed leaves either both or neither.
 * @param ends its container is removed afterwards, so the next one begins anew
 * @returns how many lines were added
 */
export async function collectLog(
  context: Pick<Context, 'db' | 'clock'>,
  driver: ClusterDriver,
  ref: WorkloadRef,
  { ends = false } = {},
): Promise<number> {
  const { db } = context
  const known = await findHead(db, ref.workload)
  const from = known.last_written === null ? {} : { since: new Date(known.last_written) }
  const found = await driver.logs(ref, { ...from, settled: !ends }).catch(() => undefined)
  if (!found) return 0
  const { lines, gap, before } = newLines(found, known)
  const end = endOf(lines, before) ?? (ends && known.last_written !== null ? { ...known } : undefined)
  if (!end) return 0
  // The output of the next container is later, and has no lines of this one. Without a new container nothing is read again either.
  if (ends) Object.assign(end, { last_written: laterThan(end), last_count: 0 })
  return db.transaction(async (tx) => {
    const head = { ...end, next: known.next + lines.length }
    if ((await moveHead(tx, ref.workload, known, head, now(context))) === 0) return 0
    for (const batch of batchesOf(lines, known.next, gap)) await addLines(tx, ref.workload, batch)
    if (lines.length > 0) await pruneParts(tx, ref.workload)
    return lines.length
  })
}

const laterThan = ({ last_written }: LogEnd) =>
  writtenAt(new Date(Date.parse(last_written ?? '') + 1).toISOString()) ?? last_written

function* batchesOf(lines: readonly LogLine[], next: number, gap: boolean) {
  let first = next
  let text = ''
  let times: number[] = []
  const batch = () => ({
    first,
    count: times.length,
    lines: text,
    from: new Date(times.reduce((a, b) => Math.min(a, b))),
    to: new Date(times.reduce((a, b) => Math.max(a, b))),
  })
  for (const [index, line] of lines.entries()) {
    text += formatLine({ ...line, gap: gap && index === 0 })
    times.push(line.at.getTime())
    if (text.length < BATCH_BYTES) continue
    yield batch()
    first += times.length
    text = ''
    times = []
  }
  if (times.length > 0) yield batch()
}

/** Keeps the output of all programs that are due. */
export async function collectDue(context: Pick<Context, 'db' | 'clock' | 'clusters'>, signal?: AbortSignal) {
  const due = await claimDue(context.db, now(context))
  const work = async () => {
    for (let one = due.pop(); one && !signal?.aborted; one = due.pop()) {
      const { id, workspace, cluster } = one
      const driver = context.clusters.of(cluster)?.driver
      if (!driver) continue
      const added = await collectLog(context, driver, { workspace, workload: id })
      await setPause(context.db, id, added > 0)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
}
