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
import { type Db, isDuplicate } from '../../platform/db/db.ts'
import { readUrl } from '../../platform/read-url.ts'
import { type Context, now } from '../context.ts'
import { linkDevice } from '../devices/service.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { upsertNode } from '../nodes/nodes.ts'
import { isSignedBy, ownerText, registrationText } from '../nodes/signatures.ts'

type Registration = Parsed<typeof contract.nodeControl.register>

/**
 * Enters a node that has proved its key, or brings what is known of it up to date.
 * @throws AppError nodeSignature for a bad or repeated proof; nodeClock for one of another time; joinRefused for a kind it may not be
 */
export async function registerNode(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'keys'>,
  input: Registration,
  ip: string,
): Promise<Output<typeof contract.nodeControl.register>> {
  const at = now(context)
  const proven = isSignedBy(input.public_key, registrationText(input), input.signature)
  const owning = input.owner_code === '' || isSignedBy(input.public_key, ownerText(input), input.owner_signature)
  if (!proven || !owning) throw new AppError('nodeSignature')
  const ahead = input.time - at.getTime()
  // Whoever runs the node is told what is wrong, and the node by how much.
  if (Math.abs(ahead) > CLOCK_SKEW_MAX)
    throw new AppError('nodeClock', { ahead: Math.round(ahead / 1000) }).with({ server_time: at.getTime() })
  if (!mayBe(input.kind, input.join_token, context.config.joinToken)) throw new AppError('joinRefused')
  const url = originOf(input.url)
  if (!url) throw new AppError('invalidParams', { field: 'url' })

  const id = nodeIdOf(input.kind, createHash('sha256').update(Buffer.from(input.public_key, 'base64url')).digest('hex'))
  const enter = async (tx: Db) => {
    const node = await upsertNode(tx, { ...input, url, id, ip }, at)
    if (!node) throw new AppError('nodeSignature')
    const taken = await linkDevice(context, tx, { nodeId: id, ownerId: node.owner_id, code: input.owner_code, ip })
    return { owned: taken || node.owner_id !== null, code_taken: taken }
  }
  const ownership = await context.db.transaction(enter).catch((error: unknown) => {
    // The key is known as that of an edge, or of none: what it is decides its id, so it needs a key of its own.
    if (isDuplicate(error, 'nodes_public_key_key')) throw new AppError('joinRefused')
    throw error
  })
  return {
    node_id: id,
    ...ownership,
    token: await nodeToken(context, id),
    keys: [context.keys.nodeTokenPublic],
    server_time: at.getTime(),
  }
}

/** Anybody may run an edge; the others hold first copies and judge, so they are invited. */
function mayBe(kind: NodeKind, shown: string, wanted: string): boolean {
  if (kind === 'edge') return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return wanted !== '' && timingSafeEqual(digest(shown), digest(wanted))
}

function originOf(text: string): string | undefined {
  const url = readUrl(text)
  const bare =
    url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return bare ? url.origin : undefined
}
