import type { DownloadClaims } from '@tidenet/contract'
import { isReceivedSigned } from '@tidenet/daemon'

/** More traces are ignored until the next report. */
const TRACES_MAX = 2000

/** What a client signed: it received so many bytes of this trace from this node. */
export interface Statement {
  claims: DownloadClaims
  bytes: number
  signature: string
}

/** Collects statements until the next report. Nothing is verified before: only the largest of each trace costs computing time. */
export interface Statements {
  add(statement: Statement): void
  /** The valid ones that are larger than those taken before. */
  take(): Promise<Statement[]>
}

export function createStatements(nodeId: string): Statements {
  let waiting = new Map<string, Statement>()
  /** The largest number of bytes already taken, of recent traces. */
  const taken = new Map<string, number>()

  return {
    add(statement) {
      const { tid } = statement.claims
      if (statement.bytes <= (waiting.get(tid)?.bytes ?? taken.get(tid) ?? 0)) return
      if (waiting.size < TRACES_MAX || waiting.has(tid)) waiting.set(tid, statement)
    },
    async take() {
      const all = [...waiting.values()]
      waiting = new Map()
      const signed = await Promise.all(
        all.map(({ claims: { tid: trace, cid, rk = '' }, bytes, signature }) =>
          isReceivedSigned(rk, { trace, nodeId, cid, bytes, signature }),
        ),
      )
      const valid = all.filter((_, index) => signed[index])
      for (const { claims, bytes } of valid) {
        taken.delete(claims.tid)
        taken.set(claims.tid, bytes)
        if (taken.size > TRACES_MAX) taken.delete(taken.keys().next().value ?? '')
      }
      return valid
    },
  }
}
