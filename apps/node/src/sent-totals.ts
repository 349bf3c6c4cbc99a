import { readFile, rm, writeFile } from 'node:fs/promises'
import { type DownloadClaims, sentText } from '@tidenet/contract'
import { z } from 'zod'
import type { Identity } from './identity.ts'

/** Downloads that are remembered; the ones that sent nothing for the longest time are forgotten. */
const TRACES_MAX = 5000

const total = z.object({
  sub: z.string(),
  tid: z.string(),
  cid: z.string(),
  /** Bytes that this node sent. */
  sent: z.number(),
  /** Bytes that the client signed as received, and that this node signed as sent. */
  received: z.number(),
  signed: z.number(),
})
type Total = z.infer<typeof total>
type Download = Pick<DownloadClaims, 'sub' | 'tid' | 'cid'>

/** A node's signature of what it sent in a download. */
export interface SentStatement {
  claims: Download
  sent: number
  sent_signature: string
}

/**
 * Counts what the node sent in each download whose client signs, and signs it, because only bytes that both signed can earn. The node signs
 * no more than it sent, whatever the client signs.
 */
export interface SentTotals {
  add(claims: DownloadClaims, bytes: number): void
  /** A client has signed so many bytes. */
  receive(claims: Download, bytes: number): void
  /** New signatures: where the client has signed more than this node. */
  take(): SentStatement[]
  /** Keeps the totals for the next start. After a crash they begin again, so bytes sent twice are signed once. */
  save(): Promise<void>
}

export async function openSentTotals(path: string, identity: Pick<Identity, 'id' | 'sign'>): Promise<SentTotals> {
  const totals = new Map((await load(path)).map((one) => [one.tid, one]))
  /** Those with something to sign. */
  const waiting = new Set<string>()
  const totalOf = ({ sub, tid, cid }: Download): Total => {
    const known = totals.get(tid) ?? { sub, tid, cid, sent: 0, received: 0, signed: 0 }
    totals.delete(tid)
    totals.set(tid, known)
    waiting.add(tid)
    if (totals.size > TRACES_MAX) totals.delete(totals.keys().next().value ?? '')
    return known
  }

  return {
    add(claims, bytes) {
      if (claims.rk) totalOf(claims).sent += bytes
    },
    receive(claims, bytes) {
      const one = totalOf(claims)
      one.received = Math.max(one.received, bytes)
    },
    take() {
      const due = [...waiting].flatMap((tid) => totals.get(tid) ?? [])
      waiting.clear()
      return due
        .filter(({ sent, received, signed }) => received > signed && sent > signed)
        .map((one) => {
          one.signed = one.sent
          const { sub, tid, cid, sent } = one
          return {
            claims: { sub, tid, cid },
            sent,
            sent_signature: identity.sign(sentText(tid, identity.id, cid, sent)),
          }
        })
    },
    save: () => writeFile(path, JSON.stringify([...totals.values()])),
  }
}

/** What the last run left; read once, because after a crash it would be out of date. */
async function load(path: string): Promise<Total[]> {
  try {
    const text = await readFile(path, 'utf8')
    await rm(path)
    return z.array(total).parse(JSON.parse(text))
  } catch {
    return []
  }
}
