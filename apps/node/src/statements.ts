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

/**
 * Of each trace so many statements wait, and at most so many are verified: the first ones and the largest, so that a false one, which anyone
 * with the token can send, does not displace those of the client.
 */
const WAITING_MAX = 4

/** Collects statements until the next report. Nothing is verified before: only the largest of each trace cost computing time. */
export interface Statements {
  add(statement: Statement): void
  /** The largest valid one of each trace, if it is larger than those taken before. */
  take(): Promise<Statement[]>
}

export function createStatements(nodeId: string): Statements {
  let waiting = new Map<string, Statement[]>()
  /** The largest number of bytes already taken, of recent traces. */
  const taken = new Map<string, number>()

  return {
    add(statement) {
      const { tid } = statement.claims
      if (statement.bytes <= (taken.get(tid) ?? 0)) return
      const list = waiting.get(tid)
      if (!list) {
        if (waiting.size < TRACES_MAX) waiting.set(tid, [statement])
        return
      }
      if (list.some(({ bytes, signature }) => bytes === statement.bytes && signature === statement.signature)) return
      if (list.length < WAITING_MAX) list.push(statement)
      else if (statement.bytes > (list.at(-1)?.bytes ?? 0)) list[WAITING_MAX - 1] = statement
    },
    async take() {
      const all = [...waiting.values()]
      waiting = new Map()
      const found = await Promise.all(all.map((list) => largestValid(nodeId, list)))
      const valid = found.filter((statement) => statement !== undefined)
      for (const { claims, bytes } of valid) {
        taken.delete(claims.tid)
        taken.set(claims.tid, bytes)
        if (taken.size > TRACES_MAX) taken.delete(taken.keys().next().value ?? '')
      }
      return valid
    },
  }
}

async function largestValid(nodeId: string, list: readonly Statement[]): Promise<Statement | undefined> {
  for (const statement of [...list].sort((a, b) => b.bytes - a.bytes)) {
    const { claims, bytes, signature } = statement
    const { tid: trace, cid, rk = '' } = claims
    if (await isReceivedSigned(rk, { trace, nodeId, cid, bytes, signature })) return statement
  }
  return undefined
}
