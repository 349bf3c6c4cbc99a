import { cidText, rawCid } from '@tidenet/content'
import type { TraceDetail } from '@tidenet/contract'
import { MiB, UPLOAD_BATCH_MAX } from '@tidenet/contract/constants'
import { TRACE } from '@tidenet/contract/storage-enums'
import { readRange } from '../bytes.ts'
import { readNodeResults, sendForms } from './form.ts'
import { withFrozenNodeCheck } from './node-watch.ts'
import type { Granted, Stored, TreeUpload } from './tree-upload.ts'

/** Smaller files are sent together. */
export const SMALL_BELOW = 128 * 1024
/** Not more: each request is in memory, and eight run at a time. */
const BUNDLE_BYTES = 2 * MiB

/** Files that go to one node in one request, or a single file. */
export type Bundle = [Granted, ...Granted[]]

/** Groups small files by the node that is best for them; the others stay alone. */
export function inBundles(files: readonly Granted[]): Bundle[] {
  const bundles: Bundle[] = []
  const open = new Map<string, { bundle: Bundle; bytes: number }>()
  for (const granted of files) {
    const url = bundleUrl(granted)
    const { size } = granted.file
    const current = open.get(url)
    if (url === '' || size >= SMALL_BELOW) bundles.push([granted])
    else if (current && current.bytes + size <= BUNDLE_BYTES && current.bundle.length < UPLOAD_BATCH_MAX) {
      current.bundle.push(granted)
      current.bytes += size
    } else {
      const bundle: Bundle = [granted]
      bundles.push(bundle)
      open.set(url, { bundle, bytes: size })
    }
  }
  return bundles
}

const bestNode = ({ info, nodes }: Granted) => nodes[info.tokens[0]?.node ?? -1]
const bundleUrl = (granted: Granted): string => bestNode(granted)?.BundleURL ?? ''

/**
 * Sends the files of a bundle in one request.
 * @param onSent as they are stored
 * @returns what the node stored; the others, for any reason, are to be sent on their own. Rejects only if the upload was aborted.
 */
export async function sendBundle(
  upload: TreeUpload,
  bundle: Bundle,
  attempts: TraceDetail[],
  onSent: (path: string, bytes: number) => void,
): Promise<{ stored: Stored[]; rest: Granted[] }> {
  const { core, signal } = upload
  const node = bestNode(bundle[0])
  const url = bundleUrl(bundle[0])
  const begun = Date.now()
  const rest: Granted[] = []
  const stored: Stored[] = []
  const read: { granted: Granted; bytes: Uint8Array }[] = []
  for (const granted of bundle) {
    const { source, size } = granted.file
    const bytes = await readRange(source, 0, size).catch(() => undefined)
    // Sent on its own, it fails with the reason.
    if (bytes) read.push({ granted, bytes })
    else rest.push(granted)
  }
  try {
    const others = Object.values(bundle[0].nodes).flatMap(({ UploadURL }) =>
      UploadURL === node?.UploadURL ? [] : UploadURL,
    )
    const watch = { platform: core.platform, signal, probeAfter: core.limits.firstByte, url, others }
    const answer = await withFrozenNodeCheck(watch, (watched, progressed) =>
      sendForms(
        {
          platform: core.platform,
          lang: core.api.lang,
          signal: watched,
          idleTimeout: core.limits.upload,
          onSent: progressed,
        },
        url,
        read.map(({ granted, bytes }) => ({
          name: granted.file.name,
          token: granted.info.tokens[0]?.Token ?? '',
          bytes,
        })),
      ),
    )
    const results = readNodeResults(answer)
    for (const [index, { granted, bytes }] of read.entries()) {
      const { cid = '', receipt = '' } = results[index] ?? {}
      const { file } = granted
      // A file of a bundle is one leaf.
      if (cid !== '' && cid === cidText(await rawCid(bytes))) {
        onSent(file.path, file.size)
        stored.push({ file, cid, md5: '', receipt })
      } else rest.push(granted)
    }
    const size = stored.reduce((sum, { file }) => sum + file.size, 0)
    attempts.push({
      node_id: node?.NodeID ?? '',
      state: rest.length === 0 ? TRACE.ok : TRACE.failed,
      transfer_type: 'upload',
      size,
      start_at: begun,
      end_at: Date.now(),
      status_code: answer.status,
      error: rest.length === 0 ? '' : `${rest.length} of ${bundle.length} files are sent again`,
    })
  } catch (error) {
    if (signal.aborted) throw error
    return { stored: [], rest: bundle }
  }
  return { stored, rest }
}
