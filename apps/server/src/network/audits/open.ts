import { randomInt, randomUUID } from 'node:crypto'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import * as nodes from '../nodes/nodes.ts'
import type * as placement from '../placement/placement.ts'
import * as repository from './repository.ts'

/** Who audits a copy, and on which way. */

/** Stands for a validator id: the server audits itself if no validator can. */
export const SERVER = 'server'
/** Open audits per validator. */
export const MAX_PER_VALIDATOR = 30
/** Random nodes among which those are chosen that pass audits on. */
const RELAYS = 64

export type ToAudit = Pick<placement.ReplicaToAudit, 'cid' | 'nodeId'> & Partial<placement.ReplicaToAudit>

/**
 * Opens an audit of each replica that has none open.
 * @param more.requested by an owner whose check failed
 * @param more.alone the server audits if there are no validators
 * @returns whether an audit was opened
 */
export async function openAudits(
  context: Pick<Context, 'clock'>,
  tx: Db,
  replicas: readonly ToAudit[],
  { requested = false, alone = false }: { requested?: boolean; alone?: boolean } = {},
): Promise<boolean> {
  if (replicas.length === 0) return false
  const validators = await repository.findValidators(tx, MAX_PER_VALIDATOR)
  if (validators.length === 0 && !alone) return false
  const involved = replicas.flatMap(({ nodeId, suspectedBy = '', suspectedVia = '' }) => [
    nodeId,
    suspectedBy,
    suspectedVia,
  ])
  const targets = new Map((await nodes.findAuditTargets(tx, involved)).map((target) => [target.id, target]))
  const isViaSuspected = replicas.some(({ suspectedVia = '' }) => suspectedVia !== '')
  const relays = {
    trusted: await nodes.findRelays(tx, RELAYS),
    invited: isViaSuspected ? await nodes.findRelays(tx, RELAYS, { invited: true }) : [],
  }
  const audits = replicas.flatMap((replica) => {
    const target = targets.get(replica.nodeId)
    const way = target && wayTo(target, replica, validators, relays, targets)
    if (!way) return []
    way.auditor.open += 1
    const position = replica.position ?? randomInt(2 ** 32) / 2 ** 32
    const { cid, nodeId } = replica
    return [{ id: randomUUID(), cid, nodeId, validatorId: way.auditor.id, viaId: way.via?.id ?? null, position }]
  })
  return (await repository.insertAudits(tx, audits, now(context), requested)).length > 0
}

/**
 * The auditor of a replica, and the node that passes the audit on, if any. Half of the audits come from the address of another node, of
 * another network and owner. After a failure an auditor of another network and owner, or the server, takes the same way: it asks the node
 * itself, or through an invited node that has nothing to do with the one before. A node may recognise validators by their addresses and
 * answer only them.
 */
function wayTo(
  target: nodes.AuditTarget,
  { suspectedBy = '', suspectedVia = '' }: ToAudit,
  validators: readonly repository.Auditor[],
  relays: Record<'trusted' | 'invited', readonly nodes.AuditTarget[]>,
  known: ReadonlyMap<string, nodes.AuditTarget>,
): { auditor: repository.Auditor; via: nodes.AuditTarget | undefined } | undefined {
  const isRepeated = suspectedBy !== ''
  const before = known.get(suspectedBy)
  const isOther = ({ network, owner }: repository.Auditor) => network !== before?.network && owner !== before?.owner
  const able = validators.filter(
    (one) => one.id !== target.id && isOther(one) && one.open < MAX_PER_VALIDATOR && (target.reachable || one.relays),
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
  if (!target.reachable) {
    const via = oneApart(relays.trusted)
    return via && { auditor, via }
  }
  if (!auditor.relays) return { auditor, via: undefined }
  if (isRepeated) return { auditor, via: suspectedVia === '' ? undefined : oneApart(relays.invited) }
  return { auditor, via: randomInt(2) === 0 ? oneApart(relays.trusted) : undefined }
}

const oneOf = <T>(list: readonly T[]): T | undefined => (list.length > 0 ? list[randomInt(list.length)] : undefined)
