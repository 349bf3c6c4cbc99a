import { randomInt, randomUUID } from 'node:crypto'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import * as nodes from '../nodes/nodes.ts'
import * as placement from '../placement/placement.ts'
import * as repository from './repository.ts'

/** Who audits a copy, and through which node. */

/** Stands for a validator id: the server audits itself if no validator can. */
export const SERVER = 'server'
/** Open audits per validator. */
export const MAX_PER_VALIDATOR = 30
/** Of these, audits of new and abnormal nodes, which may answer as slowly as they can. */
const MAX_OF_DOUBTFUL = 20
/** Random invited nodes, and holders of each content, among which those are chosen that pass audits on. */
const RELAYS = 64
const HOLDERS = 16

/**
 * Opens an audit of each replica that has none open. If the last one failed, this one repeats it, whoever asked for it.
 * @param more.requested by an owner whose check failed, or a node that complains
 * @param more.alone the server audits if there are no validators
 * @returns whether an audit was opened
 */
export async function openAudits(
  context: Pick<Context, 'clock'>,
  tx: Db,
  copies: readonly placement.Copy[],
  { requested = false, alone = false }: { requested?: boolean; alone?: boolean } = {},
): Promise<boolean> {
  if (copies.length === 0) return false
  const validators = await repository.findValidators(tx, MAX_PER_VALIDATOR)
  if (validators.length === 0 && !alone) return false
  const replicas = await placement.findToAudit(tx, copies)
  const involved = replicas.flatMap(({ nodeId, suspectedBy, suspectedVia }) => [nodeId, suspectedBy, suspectedVia])
  const targets = new Map((await nodes.findAuditTargets(tx, involved)).map((target) => [target.id, target]))
  const relaysOf = await findRelays(tx, replicas)
  const chosen = new Map<string, nodes.AuditTarget | undefined>()
  const audits = replicas.flatMap((replica) => {
    const target = targets.get(replica.nodeId)
    const way = target && wayTo(target, replica, validators, relaysOf(replica.cid), targets, chosen)
    if (!way) return []
    way.auditor.open += 1
    const position = replica.position ?? randomInt(2 ** 32) / 2 ** 32
    const { cid, nodeId } = replica
    return [{ id: randomUUID(), cid, nodeId, validatorId: way.auditor.id, viaId: way.via?.id ?? null, position }]
  })
  return (await repository.insertAudits(tx, audits, now(context), requested)).length > 0
}

/** Nodes that can pass audits of a content on. */
interface Relays {
  invited: readonly nodes.AuditTarget[]
  /** Vetted edges that hold the content. */
  edges: readonly nodes.AuditTarget[]
}

/**
 * The node that passes an audit on sees the token, with which it can read the content. So an edge passes on only audits of contents that it
 * was ordered to hold.
 */
async function findRelays(tx: Db, replicas: readonly placement.Copy[]): Promise<(cid: string) => Relays> {
  const invited = await nodes.findInvitedRelays(tx, RELAYS)
  const holders = await placement.someHolders(
    tx,
    replicas.map(({ cid }) => cid),
    HOLDERS,
  )
  const ids = [...new Set(holders.map(({ node_id }) => node_id))]
  const edges = new Map((await nodes.findEdgeRelays(tx, ids)).map((edge) => [edge.id, edge]))
  const byContent = new Map<string, nodes.AuditTarget[]>()
  for (const { cid, node_id } of holders) {
    const edge = edges.get(node_id)
    if (edge) byContent.set(cid, [...(byContent.get(cid) ?? []), edge])
  }
  return (cid) => ({ invited, edges: byContent.get(cid) ?? [] })
}

/**
 * The auditor of a replica, and the node that passes the audit on, if any. Half of the audits come from the address of another node, of
 * another network and owner. After a failure, an auditor of another network and owner, or the server, repeats the audit in the same way:
 * it asks the node itself, or through an invited node of another network and owner than the first one. A node may recognize validators by
 * their addresses and answer only them.
 * @param chosen by audited node, the invited node that passes on audits by the server; filled here
 */
function wayTo(
  target: nodes.AuditTarget,
  { suspectedBy, suspectedVia }: placement.ReplicaToAudit,
  validators: readonly repository.Auditor[],
  relays: Relays,
  known: ReadonlyMap<string, nodes.AuditTarget>,
  chosen: Map<string, nodes.AuditTarget | undefined>,
): { auditor: repository.Auditor; via: nodes.AuditTarget | undefined } | undefined {
  const isRepeated = suspectedBy !== ''
  const before = known.get(suspectedBy)
  const isOther = ({ network, owner }: repository.Auditor) => network !== before?.network && owner !== before?.owner
  const most = target.doubtful ? MAX_OF_DOUBTFUL : MAX_PER_VALIDATOR
  const able = validators.filter(
    (one) => one.id !== target.id && isOther(one) && one.open < most && (target.reachable || one.relays),
  )
  // Validators that are busy do not make the server audit, except if one of them would confirm its own failure.
  const server =
    isRepeated || validators.length === 0 ? { id: SERVER, relays: true, network: '', owner: '', open: 0 } : undefined
  const auditor = oneOf(able) ?? server
  if (!auditor) return undefined
  const first = known.get(suspectedVia)
  const oneApart = (among: readonly nodes.AuditTarget[]) =>
    oneOf(
      among.filter(
        ({ id, network, owner }) =>
          id !== auditor.id && [target, first].every((other) => network !== other?.network && owner !== other?.owner),
      ),
    )
  // The same invited node for all copies of a node that the server audits at a time, so that one request can ask for many of them.
  const invitedApart = () => {
    if (auditor.id !== SERVER || isRepeated) return oneApart(relays.invited)
    if (!chosen.has(target.id)) chosen.set(target.id, oneApart(relays.invited))
    return chosen.get(target.id)
  }
  const anyApart = () => {
    const kinds = [invitedApart, () => oneApart(relays.edges)]
    if (randomInt(2) === 0) kinds.reverse()
    return kinds.reduce<nodes.AuditTarget | undefined>((found, find) => found ?? find(), undefined)
  }
  if (!target.reachable) {
    const via = anyApart()
    return via && { auditor, via }
  }
  if (!auditor.relays) return { auditor, via: undefined }
  if (isRepeated) return { auditor, via: suspectedVia === '' ? undefined : oneApart(relays.invited) }
  return { auditor, via: randomInt(2) === 0 ? anyApart() : undefined }
}

const oneOf = <T>(list: readonly T[]): T | undefined => (list.length > 0 ? list[randomInt(list.length)] : undefined)
