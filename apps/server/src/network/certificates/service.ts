import { join } from 'node:path'
import { isRequestFor, type LocalCa, openLocalCa } from '@tidenet/certificates'
import {
  AppError,
  CERTIFICATES_PER_DAY,
  certificateText,
  type contract,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { nodeLabelOf } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { publicKeyOf } from '../nodes/nodes.ts'
import { isSignedBy } from '../nodes/signatures.ts'
import { lockIssuedTimes, setIssuedTimes } from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>

/** The time of a request may differ by so much: a recorded one is of no use later. */
const WINDOW_MS = 60_000

/** By folder: reading the key takes time, and servers of tests share a process. */
const authorities = new Map<string, Promise<LocalCa>>()

/** The CA of a network on one machine. @throws StartError */
export function localCaOf({ config }: Pick<Context, 'config'>): Promise<LocalCa> {
  const folder = join(config.data, 'secrets')
  const opened = authorities.get(folder) ?? openLocalCa(folder)
  authorities.set(folder, opened)
  return opened
}

/** The CA that nodes must trust beside those of Node.js, PEM; empty: none. */
export const extraRootOf = async (context: Pick<Context, 'config'>): Promise<string> =>
  context.config.names.tls === 'local' ? (await localCaOf(context)).root : ''

/**
 * A certificate for the names of the node that asks, and for no others. The node's private key never gets here.
 * @throws AppError zoneMissing, nodeSignature, nodeClock, certificateRequest, tooManyCertificates
 */
export async function issueCertificate(
  context: Deps,
  nodeId: string,
  { csr, time, signature }: Parsed<typeof contract.nodeControl.certificate>,
): Promise<Output<typeof contract.nodeControl.certificate>> {
  const { zone } = context.config.names
  if (zone === '') throw new AppError('zoneMissing')
  const at = now(context)
  const publicKey = await publicKeyOf(context.db, nodeId)
  // The session alone is not enough: whoever stole it must not get a certificate for the node's names.
  if (!publicKey || !isSignedBy(publicKey, certificateText(publicKey, csr, time), signature))
    throw new AppError('nodeSignature')
  const ahead = time - at.getTime()
  if (Math.abs(ahead) > WINDOW_MS)
    throw new AppError('nodeClock', { ahead: Math.round(ahead / 1000) }).with({ server_time: at.getTime() })
  const label = nodeLabelOf(publicKey)
  const name = `*.${label}.${zone}`
  const request = Buffer.from(csr, 'base64url')
  if (!(await isRequestFor(request, name))) throw new AppError('certificateRequest', { name })
  await count(context, label, at)
  const certificate = await (await localCaOf(context)).issue([name], request, at.getTime())
  return { certificate, retry_after: 0 }
}

/** @throws AppError tooManyCertificates */
async function count({ db }: Deps, label: string, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const times = await lockIssuedTimes(tx, label, new Date(at.getTime() - DAY))
    const [oldest] = times
    if (times.length >= CERTIFICATES_PER_DAY && oldest) {
      const seconds = Math.ceil((oldest.getTime() + DAY - at.getTime()) / 1000)
      throw new AppError('tooManyCertificates', { max: CERTIFICATES_PER_DAY, seconds })
    }
    await setIssuedTimes(tx, label, [...times, at], at)
  })
}
