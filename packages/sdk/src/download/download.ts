import { type Cid, parseCid, verifyLeaf } from '@tidenet/content'
import type { DownloadInfo } from '@tidenet/contract'
import { MiB } from '@tidenet/contract/constants'
import { type Core, settle } from '../core.ts'
import type { Target } from '../platform/platform.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { reportTransfer } from '../report.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { askAddresses } from './addresses.ts'
import { fetchFile } from './fetch-file.ts'
import { fetchFolder } from './fetch-folder.ts'
import { fetchLayout } from './layout.ts'
import { createNodePool, type NodePool, type SourceNode } from './node-pool.ts'
import { createSequence } from './sequence.ts'
import { openTarget } from './targets.ts'
import type { DownloadedAsset, DownloadOptions, DownloadProgress, DownloadTask } from './types.ts'

/** One download with its options read and checked. */
export interface Download {
  core: Core
  options: DownloadOptions
  info: DownloadInfo
  root: Cid
  name: string
  pool: NodePool
  signal: AbortSignal
  onProgress: (progress: Pick<DownloadProgress, 'loaded' | 'total' | 'state' | 'node'>) => void
}

/** Starts a download at once. The task always resolves. */
export function startDownload(
  core: Core,
  options: DownloadOptions,
  onProgress?: (progress: DownloadProgress) => void,
): DownloadTask {
  const stop = new AbortController()
  const running = settle(
    core,
    () => run(core, options, onProgress, stop),
    (error) => core.say('downloadError', { data: { reason: String(error) } }),
  )
  return Object.assign(running, {
    async cancel() {
      stop.abort()
      await running
    },
  })
}

async function run(
  core: Core,
  options: DownloadOptions,
  onProgress: ((progress: DownloadProgress) => void) | undefined,
  stop: AbortController,
): Promise<Result<DownloadedAsset>> {
  const { say, check } = core
  const { signal } = stop
  check.options(options)
  const assetType = options.assetType ?? options.asset_type
  if (assetType !== undefined) check.assetType(assetType)
  const aborted = () => say('aborted', { phrase: 'downloadAbort', data: { abort: true } })
  if (options.signal?.aborted) return aborted()
  options.signal?.addEventListener('abort', () => stop.abort(), { signal })

  const asked = await askAddresses(core, options, signal)
  if (!isSuccess(asked)) return signal.aborted ? aborted() : asked
  const info = asked.data
  const began = Date.now()
  const pool = createNodePool(
    { platform: core.platform, say, signal, firstByte: core.limits.firstByte },
    info.url,
    info.node_ids ?? [],
  )
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  let loaded = 0
  let state: DownloadProgress['state'] | undefined
  let result: Result<DownloadedAsset>
  try {
    let root: Cid
    try {
      root = parseCid(info.asset_cid || String(options.assetCid ?? options.asset_cid))
    } catch {
      throw new Stop(say('assetIdError'))
    }
    const download: Download = {
      core,
      options,
      info,
      root,
      name: options.name || info.file_name || root.toString(),
      pool,
      signal,
      onProgress(now) {
        meter.add(now.loaded - loaded)
        loaded = now.loaded
        const progress = { ...now, percent: percent(now.loaded, now.total), speed: meter.speed }
        listener.tell(progress, state !== now.state)
        state = now.state
      },
    }
    const asFolder = (assetType ?? info.asset_type) === 'folder' || assetType === 1
    result = await (asFolder ? downloadFolder(download) : downloadFile(download))
  } catch (error) {
    if (signal.aborted) result = aborted()
    else if (error instanceof Stop) result = error.failure
    else {
      core.log('a download failed in a way that was not foreseen', { error: String(error) })
      result = say('downloadError', { data: { reason: String(error) } })
    }
  }
  // Whoever still waits for a node is told that it is over.
  listener.flush()
  stop.abort()
  const ok = isSuccess(result)
  await reportTransfer(core.api, say, {
    traceId: info.trace_id,
    cid: info.asset_cid,
    type: 'download',
    ok,
    size: loaded,
    began,
    ended: Date.now(),
    firstByte: pool.firstByte,
    details: pool.details,
    availableNodes: info.available_nodes,
    addresses: info.url.length,
    error: ok ? '' : result.msg,
  })
  return ok ? result : { ...result, data: { ...result.data, trace_id: info.trace_id } }
}

async function downloadFile(download: Download): Promise<Result<DownloadedAsset>> {
  const { core, options, info, root, name, pool, signal } = download
  const { platform, say } = core
  download.onProgress({ loaded: 0, total: info.size, state: 'probing', node: '' })
  if (!(await pool.probe())) throw new Stop(say('noDownloadAddress', { phrase: 'noDownloadNode' }))
  const layout = await fetchLayout({ platform, pool, say, signal, stall: core.limits.stall }, root, info.size)
  const { target, finish } = await openTarget(core, options.to, {
    name,
    size: layout.size,
    resume: options.resume === true,
  })
  const nodes = new Map<SourceNode, number>()
  let loaded = 0
  try {
    const has = options.resume && target.read ? await leavesAtHand(layout, target) : undefined
    if (has) for (let leaf = 0; leaf < layout.leafCount; leaf++) if (has(leaf)) loaded += layout.leafAt(leaf).size
    const ordered = 'room' in target
    if (layout.size > 0)
      await fetchFile(
        {
          platform,
          pool,
          say,
          signal,
          target,
          stall: core.limits.stall,
          load: options.load,
          has,
          ...(ordered && { chunkMax: MiB }),
          onChunk: options.onChunk,
          onBytes(bytes, node) {
            loaded += bytes
            if (node) nodes.set(node, (nodes.get(node) ?? 0) + bytes)
            download.onProgress({ loaded, total: layout.size, state: 'downloading', node: node?.id ?? '' })
          },
        },
        layout,
      )
    signal.throwIfAborted()
    download.onProgress({ loaded, total: layout.size, state: 'finishing', node: '' })
    const more = await finish(layout.size).catch((error: Error) => {
      throw new Stop(say('downloadFileError', { phrase: 'targetFailed', fill: [error.message] }))
    })
    return success(
      {
        cid: root.toString(),
        name,
        size: layout.size,
        assetType: 'file',
        verified: true,
        nodes: [...nodes].map(([node, bytes]) => ({ node_id: node.id, bytes })),
        traceId: info.trace_id,
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  }
}

/** A folder comes as a tar: verified on its way, or block by block where what was written cannot be taken back. */
async function downloadFolder(download: Download): Promise<Result<DownloadedAsset>> {
  const { core, options, info, root, pool, signal } = download
  const { say } = core
  download.onProgress({ loaded: 0, total: info.size, state: 'probing', node: '' })
  if (!(await pool.probe('car'))) throw new Stop(say('noDownloadAddress', { phrase: 'noDownloadNode' }))
  const name = `${download.name.replace(/\.tar$/i, '')}.tar`
  const { target, finish } = await openTarget(core, options.to, { name, size: undefined, resume: false })
  const written = (error: Error) =>
    new Stop(say('downloadFileError', { phrase: 'targetFailed', fill: [error.message] }))
  const sequence = createSequence(target, written)
  try {
    const node = await fetchFolder(download, sequence, !('room' in target))
    await sequence.flush()
    signal.throwIfAborted()
    download.onProgress({ loaded: sequence.size, total: sequence.size, state: 'finishing', node: node.id })
    const more = await finish(sequence.size).catch((error: Error) => {
      throw written(error)
    })
    return success(
      {
        cid: root.toString(),
        name,
        size: sequence.size,
        assetType: 'folder',
        verified: true,
        nodes: [{ node_id: node.id, bytes: sequence.size }],
        traceId: info.trace_id,
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  }
}

/** Which leaves an earlier download has left: their hash shows it. */
async function leavesAtHand(
  layout: Parameters<typeof verifyLeaf>[0],
  target: Target,
): Promise<(leaf: number) => boolean> {
  const held = new Uint8Array(layout.leafCount)
  for (let leaf = 0; leaf < layout.leafCount; leaf++) {
    const { offset, size } = layout.leafAt(leaf)
    const bytes = await target.read!(offset, size)
    if (await verifyLeaf(layout, leaf, bytes)) held[leaf] = 1
  }
  return (leaf) => held[leaf] === 1
}

/** The addresses of content, for callers that fetch by themselves. Throws nothing. */
export async function getAddresses(core: Core, options: DownloadOptions): Promise<Result<DownloadInfo>> {
  return settle(core, async () => {
    const info = need(await askAddresses(core, options, options.signal))
    return success(info, core.api.lang)
  })
}
