import { createHash } from 'node:crypto'
import { AppError, type contract, type Parsed } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { lockForBinding, setOwnerName } from '../nodes/owners.ts'
import { isSignedBy } from '../nodes/signatures.ts'
import { linkDevice } from './service.ts'

/**
 * Links a node to the account of an owner code, as older clients do it. Its key signs the SHA-256 of the code, so that who knows a code
 * cannot link nodes of others to an account.
 * @throws AppError deviceUnknown, nodeSignature, deviceBound, ownerCodeUnknown
 */
export async function bindDevice(
  context: Pick<Context, 'db' | 'clock'>,
  { hash: code, signature, node_id: nodeId, remark }: Parsed<typeof contract.devices.binding>,
  ip: string,
): Promise<null> {
  await context.db.transaction(async (tx) => {
    const node = await lockForBinding(tx, nodeId)
    if (!node) throw new AppError('deviceUnknown')
    const digest = createHash('sha256').update(code).digest()
    const signed = Buffer.from(signature, 'hex').toString('base64url')
    if (!isSignedBy(node.public_key, digest, signed)) throw new AppError('nodeSignature')
    // Unlike a node that registers: the signature has no time, and could be an old one.
    if (node.owner_id !== null) throw new AppError('deviceBound')
    if (!(await linkDevice(context, tx, { nodeId, ownerId: null, code, ip }))) throw new AppError('ownerCodeUnknown')
    if (remark !== '') await setOwnerName(tx, nodeId, remark)
  })
  return null
}
