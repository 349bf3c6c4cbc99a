import { type FileLayout, RAW, verifyLeaf } from '@tidenet/content'
import { MiB } from '@tidenet/contract/constants'
import type { Target } from '../platform/platform.ts'
import { type Result, Stop, success } from '../result.ts'
import { decryptingTarget } from './decrypt.ts'
import { isProvenEmpty } from './empty.ts'
import { fetchFile } from './fetch-file.ts'
import { fetchWrappedFile } from './fetch-folder.ts'
import { fetchLayout } from './layout.ts'
import type { SourceNode } from './node-pool.ts'
import { createSequentialWriter } from './sequential-writer.ts'
import { openTarget, targetFailed } from './targets.ts'
import type { Download, DownloadedAsset } from './types.ts'

/** Downloads a file: fetches its layout, then its leaves from all nodes in parallel; without raw leaves, its blocks in order. */
export async function downloadFile(download: Download): Promise<Result<DownloadedAsset>> {
  const { core, options, info, root, name, pool, receipts, signal } = download
  const { platform, toFailure } = core
  const { decrypt } = options
  download.onProgress({ loaded: 0, total: info.size, state: 'probing', node: '' })
  const isEmpty = await isProvenEmpty(root, { path: options.path ?? '', size: info.size })
  if (!isEmpty && !(await pool.probe())) throw new Stop(toFailure('noDownloadAddress', { phrase: 'noDownloadNode' }))
  const size = isEmpty ? 0 : info.size
  const layout = await fetchLayout({ platform, pool, toFailure, signal, stall: core.limits.stall }, root, size)
  if (layout?.size === 0 && root.code === RAW && !isEmpty) throw new Stop(toFailure('downloadFileError'))
  const resume = options.resume === true && !decrypt && layout !== undefined
  const chosen = await openTarget(core, options.to, { name, size: decrypt ? undefined : layout?.size, resume })
  const plain = decrypt && createSequentialWriter(chosen.target, targetFailed(toFailure))
  const opening = plain && decryptingTarget(core, decrypt, plain)
  const target = opening ?? chosen.target
  let unopened: unknown
  opening?.plain.catch((error: unknown) => {
    unopened = error
  })
  const nodes = new Map<SourceNode, number>()
  let loaded = 0
  const fetchLeaves = async (layout: FileLayout): Promise<number> => {
    const has =
      resume && target.read
        ? await leavesAtHand(layout, target, signal, (size) => {
            loaded += size
            download.onProgress({ loaded, total: layout.size, state: 'probing', node: '' })
          })
        : undefined
    if (layout.size > 0)
      await fetchFile(
        {
          platform,
          pool,
          toFailure,
          signal,
          target,
          stall: core.limits.stall,
          outage: options.waitForNodes ?? core.limits.outage,
          onOutage: () => download.onProgress({ loaded, total: layout.size, state: 'waiting', node: '' }),
          addresses: download.addresses,
          load: options.load,
          has,
          ...('capacity' in target && { chunkMax: MiB }),
          onAsk: options.onAsk,
          onChunk: options.onChunk,
          onFailed: receipts.leave,
          onBytes(bytes, node) {
            loaded += bytes
            if (node) {
              nodes.set(node, (nodes.get(node) ?? 0) + bytes)
              receipts.add(node, bytes)
            }
            download.onProgress({ loaded, total: layout.size, state: 'downloading', node: node?.id ?? '' })
          },
        },
        layout,
      )
    return layout.size
  }
  const fetchWrapped = async (): Promise<number> => {
    const sequence = createSequentialWriter(target, targetFailed(toFailure))
    const node = await fetchWrappedFile(download, sequence)
    await sequence.flush()
    loaded = sequence.size
    nodes.set(node, loaded)
    return loaded
  }
  try {
    const fetched = await (layout ? fetchLeaves(layout) : fetchWrapped())
    signal.throwIfAborted()
    download.onProgress({ loaded, total: fetched, state: 'finishing', node: '' })
    if (opening) {
      await opening.commit(fetched)
      await opening.plain
      await plain?.flush()
    }
    const saved = plain?.size ?? fetched
    const more = await chosen.finish(saved).catch((error: Error) => {
      throw targetFailed(toFailure)(error)
    })
    return success(
      {
        cid: root.toString(),
        name,
        size: saved,
        assetType: 'file',
        verified: true,
        nodes: [...nodes].map(([node, bytes]) => ({ node_id: node.id, bytes })),
        traceId: info.trace_id,
        slow: [],
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    const reason = unopened ?? error
    await opening?.abort()
    await chosen.target.abort().catch(() => {})
    throw reason
  }
}

/** Finds leaves that an earlier download has written, by hashing. Leaves that begin and end with zeros are assumed to be unwritten. */
async function leavesAtHand(
  layout: FileLayout,
  target: Target,
  signal: AbortSignal,
  onFound: (size: number) => void,
): Promise<(leaf: number) => boolean> {
  const held = new Uint8Array(layout.leafCount)
  for (let leaf = 0; leaf < layout.leafCount; leaf++) {
    signal.throwIfAborted()
    const { offset, size } = layout.leafAt(leaf)
    const bytes = await target.read!(offset, size)
    if (isEmpty(bytes.subarray(0, EDGE)) && isEmpty(bytes.subarray(-EDGE))) continue
    if (!(await verifyLeaf(layout, leaf, bytes))) continue
    held[leaf] = 1
    onFound(size)
  }
  return (leaf) => held[leaf] === 1
}

const EDGE = 64
const isEmpty = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
