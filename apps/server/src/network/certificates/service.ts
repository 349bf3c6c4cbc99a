import { isForKey, isRequestFor, keyOfRequest, readCertificateFacts } from '@tidenet/certificates'
import {
  AppError,
  CERTIFICATES_PER_DAY,
  type CertificateProblem,
  certificateText,
  type contract,
  type NodeCertificate,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { nodeLabelOf } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { localCaOf } from '../names/local-ca.ts'
import { publicKeyOf } from '../nodes/nodes.ts'
import { isSignedBy } from '../nodes/signatures.ts'
import {
  type CertificateRow,
  enqueue,
  findCertificates,
  lockCertificate,
  setCertificate,
  setClockProblem,
  setFetched,
  setIssuedTimes,
  setRequested,
} from './repository.ts'

export { certificateFigures } from './queue-repository.ts'
export { markExpiringNotified } from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>
type Answer = Output<typeof contract.nodeControl.certificate>

/** The time of a request may differ by so much: a recorded one is of no use later. */
const WINDOW_MS = 60_000
/** When a node asks again that waits. */
const RETRY_MS = { first: 2000, most: 600_000 }
/** Of its life; the CA of this installation has no suggestions. */
const RENEW_AFTER = 2 / 3

/**
 * A certificate for the names of the node that asks, and for no others. The node's private key never gets here. Public CAs are asked by the
 * queue (`queue.ts`); until they have issued it, the answer says why there is none.
 * @throws AppError zoneMissing, nodeSignature, nodeClock, certificateReplayed, certificateRequest, tooManyCertificates
 */
export async function requestCertificate(
  context: Deps,
  nodeId: string,
  { csr, time, signature }: Parsed<typeof contract.nodeControl.certificate>,
): Promise<Answer> {
  const { zone, tls } = context.config.names
  if (zone === '') throw new AppError('zoneMissing')
  const at = now(context)
  const publicKey = await publicKeyOf(context.db, nodeId)
  // The session alone is not enough: whoever stole it must not get a certificate for the node's names.
  if (!publicKey || !isSignedBy(publicKey, certificateText(publicKey, csr, time), signature))
    throw new AppError('nodeSignature')
  const label = nodeLabelOf(publicKey)
  const ahead = Math.round((time - at.getTime()) / 1000)
  if (Math.abs(time - at.getTime()) > WINDOW_MS) {
    await setClockProblem(context.db, { label, id: nodeId }, new Date(time), ahead, at)
    throw new AppError('nodeClock', { ahead }).with({ server_time: at.getTime() })
  }
  const name = `*.${label}.${zone}`
  const request = Buffer.from(csr, 'base64url')
  if (!(await isRequestFor(request, name))) throw new AppError('certificateRequest', { name })
  return context.db.transaction(async (tx) => {
    const row = await lockCertificate(tx, label, nodeId)
    if (row.request_time && time <= row.request_time.getTime()) throw new AppError('certificateReplayed')
    await setRequested(tx, label, new Date(time), at)
    return tls === 'local' ? issueLocally(context, tx, row, name, request, at) : ask(tx, row, name, request, at)
  })
}

async function issueLocally(
  context: Deps,
  tx: Db,
  row: CertificateRow,
  name: string,
  request: Buffer,
  at: Date,
): Promise<Answer> {
  await count(tx, row, at)
  const certificate = await (await localCaOf(context)).issue([name], request, at.getTime())
  const { notBefore, notAfter } = readCertificateFacts(certificate)
  const renewAt = new Date(notBefore + (notAfter - notBefore) * RENEW_AFTER)
  const validity = { validFrom: new Date(notBefore), validUntil: new Date(notAfter), renewAt }
  await setCertificate(tx, row.label, { certificate, directory: '', ...validity }, at)
  return { certificate, retry_after: 0, problem: '' }
}

/** The certificate that the CA issued for this key; otherwise the request waits in the queue. */
async function ask(tx: Db, row: CertificateRow, name: string, request: Buffer, at: Date): Promise<Answer> {
  const key = keyOfRequest(request)
  const { certificate, valid_until, renew_at } = row
  if (
    certificate !== null &&
    valid_until !== null &&
    renew_at !== null &&
    at < valid_until &&
    at < renew_at &&
    readCertificateFacts(certificate).names.includes(name) &&
    isForKey(certificate, key)
  ) {
    await setFetched(tx, row.label)
    return { certificate, retry_after: 0, problem: '' }
  }
  if (await isWaiting(row, name, key)) {
    const wait = row.problem === '' ? 0 : (row.next_at ?? at).getTime() - at.getTime()
    const retryAfter = Math.min(Math.max(wait, RETRY_MS.first), RETRY_MS.most)
    return { certificate: '', retry_after: retryAfter, problem: problemOf(row, at) }
  }
  await count(tx, row, at)
  await enqueue(tx, row.label, request.toString('base64url'), at)
  return { certificate: '', retry_after: RETRY_MS.first, problem: 'queued' }
}

/** Whether a request with this key waits already. Each is signed anew, so the requests themselves differ. */
async function isWaiting({ waiting_since, csr }: CertificateRow, name: string, key: Buffer): Promise<boolean> {
  if (waiting_since === null || csr === null) return false
  const before = Buffer.from(csr, 'base64url')
  return (await isRequestFor(before, name)) && keyOfRequest(before).equals(key)
}

/** @throws AppError tooManyCertificates */
async function count(tx: Db, { label, issued_at }: CertificateRow, at: Date): Promise<void> {
  const times = issued_at.filter((each) => each.getTime() > at.getTime() - DAY)
  const [oldest] = times
  if (times.length >= CERTIFICATES_PER_DAY && oldest) {
    const seconds = Math.ceil((oldest.getTime() + DAY - at.getTime()) / 1000)
    throw new AppError('tooManyCertificates', { max: CERTIFICATES_PER_DAY, seconds })
  }
  await setIssuedTimes(tx, label, [...times, at], at)
}

type Shown = Pick<CertificateRow, 'valid_until' | 'waiting_since' | 'problem'>

function problemOf({ problem, valid_until, waiting_since }: Shown, at: Date): CertificateProblem {
  if (problem !== '') return problem
  if (waiting_since !== null) return 'queued'
  return valid_until !== null && valid_until <= at ? 'expired' : ''
}

/** The certificates of these nodes, as owners and operators see them; nodes without names have none. */
export async function certificatesOf(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  db: Db,
  nodeIds: readonly string[],
): Promise<Map<string, NodeCertificate>> {
  if (config.names.zone === '') return new Map()
  const at = new Date(clock.now())
  const rows = await findCertificates(db, nodeIds)
  return new Map(
    rows.map((row) => {
      const problem = problemOf(row, at)
      const since = problem === '' ? null : (row.problem_since ?? row.waiting_since ?? row.valid_until)
      return [
        row.node_id,
        {
          until: row.valid_until?.toISOString() ?? null,
          problem,
          since: since?.toISOString() ?? null,
          detail: row.problem_detail,
        },
      ]
    }),
  )
}
