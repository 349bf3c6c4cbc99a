import { sha256 } from '@tidenet/content'
import type { TraceDetail } from '@tidenet/contract'
import { MiB } from '@tidenet/contract/constants'
import { bytesSource, readRange } from '../bytes.ts'
import type { ContentDigest } from '../platform/platform.ts'
import { isSuccess } from '../result.ts'
import { sendToNodes } from './send-to-nodes.ts'
import { announce } from './tree-batches.ts'
import { SMALL_BELOW } from './tree-bundle.ts'
import type { Granted, Stored, TreeFile, TreeUpload } from './tree-upload.ts'

/** Blobs up to this size are hashed in memory while they are sent: a worker for each of thousands of files is slower. */
const IN_MEMORY_MAX = MiB

/**
 * Sends one file, unless the network has it. Throws Stop.
 * @param onSent bytes of this file sent so far; fewer than before after a retry at another node
 */
export async function sendFile(
  upload: TreeUpload,
  { file, info, nodes }: Granted,
  attempts: TraceDetail[],
  onSent: (bytes: number) => void,
): Promise<Stored> {
  const { core, signal } = upload
  const { size } = file
  const small = file.source.blob && size <= IN_MEMORY_MAX
  const source = small ? { ...bytesSource(await readRange(file.source, 0, size)), name: file.name } : file.source
  // Small files are sent, which is as fast as to prove possession.
  const wantsMd5 = !upload.seal && size >= SMALL_BELOW
  const digest = core.platform.digest(source, { md5: wantsMd5, signal })
  const md5 = async () => (wantsMd5 ? (await digest.finish()).md5 : '')
  try {
    if (wantsMd5 && info.SizeKnown) {
      const instant = await findInstant(upload, file, digest)
      if (instant) {
        onSent(size)
        return instant
      }
    }
    const sent = await sendToNodes(
      {
        platform: core.platform,
        source,
        name: file.name,
        lang: core.api.lang,
        toFailure: core.toFailure,
        signal,
        pause: core.pause,
        idleTimeout: core.limits.upload,
        probeAfter: core.limits.firstByte,
        retries: upload.retries,
        outage: core.limits.outage,
        transport: 'auto',
        observe: digest.observe,
        expected: async () => (await digest.finish()).cid,
        onState: (_, { loaded }) => onSent(loaded),
        paused: upload.paused,
        attempts,
        resume: {
          store: upload.store,
          fingerprint: [core.api.url, file.folder, file.path, size, source.modified].join('|'),
          traceId: upload.traceId,
        },
      },
      info.tokens.flatMap(({ node, Token }) => {
        const target = nodes[node]
        return target ? [{ ...target, Token }] : []
      }),
    )
    return { file, cid: sent.cid, md5: await md5(), receipt: sent.receipt }
  } finally {
    digest.stop()
  }
}

/** Whether the network has the bytes, and the proof that we have them too; see `uploadFile`. */
async function findInstant(upload: TreeUpload, file: TreeFile, digest: ContentDigest): Promise<Stored | undefined> {
  const { core, signal } = upload
  const { md5, cid } = await digest.finish()
  if (md5 === '') return undefined
  const [known] = (await announce(upload, [file], [md5])).list
  if (!known?.ok) return undefined
  // MD5 may collide: only the same CID counts.
  if (known.AlreadyExists) return known.CID === cid ? { file, cid, md5 } : undefined
  if (!known.Proof) return undefined
  const { id, offset, length } = known.Proof
  const piece = await sha256(await readRange(file.source, offset, Math.min(offset + length, file.size)))
  const answer = { id, cid, sha256: Array.from(piece, (byte) => byte.toString(16).padStart(2, '0')).join('') }
  const proved = await core.api.call('uploads.prove', answer, { signal })
  return isSuccess(proved) && proved.data.AlreadyExists ? { file, cid, md5, proof: proved.data.proof } : undefined
}
