import { randomInt } from 'node:crypto'
import { RAW } from '@tidenet/content'
import { readCar } from '@tidenet/content/car'
import { VIA_BYTES_MAX } from '@tidenet/contract'
import { askForCopies, COPIES_BYTES, COPIES_MAX, COPY_FRAME, VIA_COPIES } from '@tidenet/daemon'
import { readCid } from '../../platform/cids.ts'
import type { Context } from '../context.ts'
import { signDownloadToken, signViaToken } from '../nodes/node-tokens.ts'
import { findInvitedRelays } from '../nodes/nodes.ts'
import type { AuditTask } from './service.ts'

/**
 * Audits many fresh, small copies of one node with one request, the same as a node that copies them (`POST /copies`). The answer has all
 * bytes of each content, which are verified by its CID. Copies that are missing or wrong in the answer do not fail: they are audited alone.
 */

/** Bytes. Larger contents are audited alone: from this size on, the transfer time says how fast a node is. */
export const TOGETHER_SMALL = 64 * 1024 - 1
export const TOGETHER_MAX = COPIES_MAX
/** Less than for an audit alone, so that fetching the contents elsewhere first does not become easier. */
const WITHIN_MS = 15_000
const SILENCE_MS = 10_000
/** How long the copies of a node are audited alone after an incomplete answer. */
const ALONE_MS = 10 * 60 * 1000
/** Nodes among which one is chosen, in whose name a direct request comes. */
const NODES = 16

/** Until when (unix ms) copies of nodes that gave no complete answer are audited alone; the oldest entries come first. */
const incomplete = new Map<string, number>()
const INCOMPLETE_MAX = 100_000

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys'>

/** Whether copies of a node can be audited together now. */
export const answersTogether = ({ clock }: Pick<Deps, 'clock'>, nodeId: string): boolean =>
  (incomplete.get(nodeId) ?? 0) <= clock.now()

/** The nodes that are not. */
export function nodesAlone({ clock }: Pick<Deps, 'clock'>): string[] {
  for (const [id, until] of incomplete) {
    if (until > clock.now()) break
    incomplete.delete(id)
  }
  return [...incomplete.keys()]
}

/**
 * Groups audits of the same node that go the same way: directly, or through the same other node.
 * @returns `alone` has all others, and one at random of each group, so that a node must answer both clients and other nodes
 */
export function groupTogether(
  audits: readonly AuditTask[],
  isAble: (audit: AuditTask) => boolean,
): { groups: AuditTask[][]; alone: AuditTask[] } {
  const alone: AuditTask[] = []
  const byWay = new Map<string, AuditTask[][]>()
  for (const audit of audits) {
    if (!isAble(audit) || readCid(audit.cid).cid.code !== RAW) {
      alone.push(audit)
      continue
    }
    const way = `${audit.node_id} ${audit.via_id ?? ''}`
    const groups = byWay.get(way) ?? []
    byWay.set(way, groups)
    const last = groups.at(-1)
    if (last && last.length < COPIES_MAX && mostOf([...last, audit]) <= COPIES_BYTES) last.push(audit)
    else groups.push([audit])
  }
  const groups = [...byWay.values()].flat()
  for (const group of groups) alone.push(...group.splice(randomInt(group.length), 1))
  return { groups: groups.filter((group) => group.length > 0), alone }
}

const mostOf = (group: readonly AuditTask[]): number =>
  group.reduce((sum, { size }) => sum + size + COPY_FRAME, COPY_FRAME * 2)

/** @returns the results of the audits that passed */
export async function auditTogether(context: Deps, group: readonly AuditTask[]) {
  const [first] = group
  if (!first) return []
  const started = performance.now()
  const wanted = new Map(group.map((audit) => [audit.cid, audit]))
  const passed = new Set<AuditTask>()
  try {
    const { status, body } = await ask(context, first, group)
    body.on('error', () => {})
    try {
      if (status === 200)
        // Reading verifies the hash of each block.
        for await (const { cid, bytes } of readCar(body).blocks) {
          const audit = wanted.get(cid.toString())
          if (!audit || bytes.length !== audit.size || passed.has(audit)) break
          passed.add(audit)
        }
    } finally {
      body.destroy()
    }
  } catch {
    // Blocks that arrived before the failure are verified.
  }
  if (passed.size < group.length) markIncomplete(context, first.node_id)
  const ms = Math.round(performance.now() - started)
  return [...passed].map(({ id, size: bytes }) => ({ id, passed: true, error: '', ms, bytes }))
}

async function ask(context: Deps, { node_id, url, via_id, via_url }: AuditTask, group: readonly AuditTask[]) {
  // The request comes in the name of the node that passes it on, or of any other, as if that node copied the contents.
  const reader = via_id ?? oneOf(await findInvitedRelays(context.db, NODES))?.id
  if (reader === undefined) throw new Error('no other node could ask')
  const tokens = await Promise.all(
    group.map(({ cid }) =>
      signDownloadToken(context, { typ: 'pull', aud: node_id, sub: `node:${reader}`, cid, tid: '' }),
    ),
  )
  const claims = { node: node_id, origin: new URL(url).origin, cid: VIA_COPIES, most: VIA_BYTES_MAX }
  const isVia = via_id !== null && via_url !== null
  const via = isVia ? { url: via_url, token: await signViaToken(context, { aud: via_id, ...claims }) } : undefined
  return askForCopies(url, tokens, {
    most: mostOf(group),
    withinMs: WITHIN_MS,
    silenceMs: SILENCE_MS,
    privateToo: context.config.privateNodes,
    via,
  })
}

const oneOf = <T>(list: readonly T[]): T | undefined => list[randomInt(Math.max(1, list.length))]

function markIncomplete({ clock }: Pick<Deps, 'clock'>, nodeId: string): void {
  incomplete.delete(nodeId)
  if (incomplete.size >= INCOMPLETE_MAX) incomplete.delete(incomplete.keys().next().value ?? '')
  incomplete.set(nodeId, clock.now() + ALONE_MS)
}
