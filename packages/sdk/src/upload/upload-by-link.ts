import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import type { Core } from '../core.ts'
import type { ContentDigest } from '../platform/platform.ts'
import type { ResumeStore, UnfinishedUpload } from '../platform/resume-store.ts'
import { isSuccess, type Result, success } from '../result.ts'
import type { SendDeps, Stored } from './send-to-nodes.ts'
import type { UploadedAsset } from './types.ts'
import { uploadedAs } from './uploaded-as.ts'

/** An upload of `upload-file.ts`. */
interface LinkUpload {
  core: Core
  name: string
  encrypted: boolean
  ticket: string | undefined
  resume: ResumeStore
  onState: SendDeps['onState']
}

/** The portal's `notFound`: it knows of no such upload by this link, or no longer. */
const NOT_FOUND = 1000

/**
 * The link of a ticket, so that uploads continue with a later ticket. Nothing relies on it: the portal decides which link an upload belongs to.
 * A ticket that cannot be read is its own key.
 */
export function linkOf(ticket: string): string {
  try {
    const claims = ticket.split('.')[1] ?? ''
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown }
    return typeof sub === 'string' && sub !== '' ? sub : ticket
  } catch {
    return ticket
  }
}

/**
 * Adds an uploaded file to the folder of the link. Until the portal confirms it, the upload is remembered: adding it again is one file, sending it
 * again would be two.
 */
export async function addByLink(
  upload: LinkUpload,
  size: number,
  { key, traceId, stored }: { key: string; traceId: string; stored: Stored },
): Promise<Result<UploadedAsset>> {
  const { core, name, ticket = '', resume } = upload
  upload.onState('finishing', { node: stored.nodeId, attempt: 0, loaded: size })
  const unfinished = { location: '', nodeId: stored.nodeId, token: '', traceId, begun: Date.now(), stored }
  await resume.set(key, unfinished).catch(() => {})
  const { cid, receipt } = stored
  const added = await core.api.call('uploadLinks.add', {
    ticket,
    trace_id: traceId,
    name,
    cid,
    ...(receipt && { receipt }),
  })
  if (isSuccess(added) || isUnknown(added)) await resume.delete(key).catch(() => {})
  return isSuccess(added) ? success(uploadedAs(upload, size, traceId, stored), core.api.lang) : added
}

/**
 * Adds a file that a node has completely, and of which the portal's confirmation was lost. @returns undefined if there is none: the file has to be
 * sent
 */
export async function addStoredByLink(
  upload: LinkUpload,
  size: number,
  { key, unfinished, digest }: { key: string; unfinished: UnfinishedUpload | undefined; digest: ContentDigest },
): Promise<Result<UploadedAsset> | undefined> {
  if (upload.ticket === undefined || !unfinished?.stored) return undefined
  const { stored, traceId, begun } = unfinished
  if (Date.now() - begun < UPLOAD_TOKEN_LIFE) {
    upload.onState('hashing', { node: '', attempt: 0, loaded: 0 })
    // Another file may have the same name, size and time.
    if ((await digest.finish()).cid === stored.cid) {
      const added = await addByLink(upload, size, { key, traceId, stored })
      if (!isUnknown(added)) return added
    }
  }
  await upload.resume.delete(key).catch(() => {})
  return undefined
}

const isUnknown = (result: Result<unknown>): boolean =>
  result.code !== 0 && (result.data as { err?: number } | undefined)?.err === NOT_FOUND
