import { createHash, timingSafeEqual } from 'node:crypto'
import {
  AppError,
  CLOCK_SKEW_MAX,
  type contract,
  type NodeKind,
  nodeIdOf,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { nodeAddressOf, nodeNetworkOf, wideNetworkOf } from '@tidenet/daemon'
import { type Db, isDuplicate } from '../../platform/db/db.ts'
import { readUrl } from '../../platform/read-url.ts'
import { type Context, now } from '../context.ts'
import { linkDevice } from '../devices/service.ts'
import { placeInArea, updateArea } from '../nodes/node-areas.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { upsertNode } from '../nodes/nodes.ts'
import { isSignedBy, ownerText, registrationText } from '../nodes/signatures.ts'
import { checkReplicasOf } from '../placement/placement.ts'
import { isRelayed, placeOf } from '../relays/places.ts'
import { limitNewEdges } from './new-edges.ts'

type Registration = Parsed<typeof contract.nodeControl.register>

/**
 * Registers a node that proves its key, or updates its row.
 * @throws AppError nodeSignature if the proof is wrong or was used before; nodeClock if the node's clock is wrong; joinRefused if the node
 * may not have this kind; tooManyEdges
 */
export async function registerNode(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'log'>,
  input: Registration,
  ip: string,
): Promise<Output<typeof contract.nodeControl.register>> {
  const at = now(context)
  const isSigned = isSignedBy(input.public_key, registrationText(input), input.signature)
  const isCodeSigned = input.owner_code === '' || isSignedBy(input.public_key, ownerText(input), input.owner_signature)
  if (!isSigned || !isCodeSigned) throw new AppError('nodeSignature')
  const ahead = input.time - at.getTime()
  // The message is for the person who runs the node; the node reads `server_time`.
  if (Math.abs(ahead) > CLOCK_SKEW_MAX)
    throw new AppError('nodeClock', { ahead: Math.round(ahead / 1000) }).with({ server_time: at.getTime() })
  if (!isKindAllowed(input.kind, input.join_token, context.config.joinToken)) throw new AppError('joinRefused')
  const url = originOf(input.url)
  if (!url) throw new AppError('invalidParams', { field: 'url' })

  const id = nodeIdOf(input.kind, createHash('sha256').update(Buffer.from(input.public_key, 'base64url')).digest('hex'))
  const register = async (tx: Db) => {
    const joinedFrom = nodeNetworkOf(ip)
    const joinedWide = wideNetworkOf(joinedFrom) ?? ''
    const place = placeOf(context, url)
    const network = nodeNetworkOf(ip, place)
    const address = nodeAddressOf(ip, place)
    const relayed = await isRelayed(context, tx, { id, url })
    const node = await upsertNode(tx, { ...input, url, id, ip, network, address, joinedFrom, joinedWide, relayed }, at)
    if (!node) throw new AppError('nodeSignature')
    if (await updateArea(context, tx, id, at)) await checkReplicasOf(tx, id, at)
    if (input.latitude === 0 && input.longitude === 0) await placeInArea(tx, id)
    const linked = await linkDevice(context, tx, { nodeId: id, ownerId: node.owner_id, code: input.owner_code, ip })
    // After the node was linked: edges with an owner have limits of their own.
    if (node.fresh && input.kind === 'edge') await limitNewEdges(context, tx, { ip, nodeId: id })
    return { owned: linked || node.owner_id !== null, code_taken: linked }
  }
  const ownership = await context.db.transaction(register).catch((error: unknown) => {
    // The kind is part of the node id, so a node that changes between edge and invited needs a new key.
    if (isDuplicate(error, 'nodes_public_key_key')) throw new AppError('joinRefused')
    throw error
  })
  return {
    node_id: id,
    ...ownership,
    token: await nodeToken(context, id),
    keys: [context.keys.nodeTokenPublic],
    server_time: at.getTime(),
    zone: context.config.names.zone,
  }
}

/** Anyone can run an edge. Candidates and validators receive uploads and audit others, so they need the join token. */
function isKindAllowed(kind: NodeKind, given: string, joinToken: string): boolean {
  if (kind === 'edge') return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return joinToken !== '' && timingSafeEqual(digest(given), digest(joinToken))
}

function originOf(text: string): string | undefined {
  const url = readUrl(text)
  const bare =
    url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return bare ? url.origin : undefined
}
