import { type Cid, parseCid } from '@tidenet/content'
import type { DownloadInfo, TraceDetail } from '@tidenet/contract'
import { assetTypeOf } from '@tidenet/contract/storage-words'
import { type Core, settle } from '../core.ts'
import { following } from '../following.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { reportTransfer } from '../report.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { askAddresses } from './addresses.ts'
import { downloadFile } from './download-file.ts'
import { downloadFolder } from './download-folder.ts'
import { inside } from './inside.ts'
import { createNodePool } from './node-pool.ts'
import { checkTarget } from './targets.ts'
import type { Download, DownloadedAsset, DownloadOptions, DownloadProgress, DownloadTask } from './types.ts'

/** Starts a download at once. The task always resolves. */
export function startDownload(
  core: Core,
  options: DownloadOptions,
  onProgress?: (progress: DownloadProgress) => void,
): DownloadTask {
  const stop = new AbortController()
  const running = settle(
    core,
    () => following(options?.signal, stop, () => run(core, options, onProgress, stop)),
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
  check.options(options, 'download')
  if (options.decrypt !== undefined) check.options(options.decrypt, 'decrypt', 'decrypt.')
  checkTarget(core, options.to)
  const assetType = options.assetType ?? options.asset_type
  if (assetType !== undefined) check.assetType(assetType)
  const aborted = () => say('aborted', { phrase: 'downloadAbort', data: { abort: true } })
  if (options.signal?.aborted) return aborted()

  const asked = await askAddresses(core, options, signal)
  if (!isSuccess(asked)) return signal.aborted ? aborted() : asked
  let info = asked.data
  const began = Date.now()
  const poolOf = ({ url, node_ids }: DownloadInfo) =>
    createNodePool({ platform: core.platform, say, signal, firstByte: core.limits.firstByte }, url, node_ids ?? [])
  let pool = poolOf(info)
  /** Tries on the way to a part of a folder. */
  let earlier: TraceDetail[] = []
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  let loaded = 0
  let state: DownloadProgress['state'] | undefined
  let result: Result<DownloadedAsset>
  try {
    let root: Cid
    try {
      // What was asked for is what counts, whatever the answer calls it.
      root = parseCid(String(options.assetCid ?? options.asset_cid))
    } catch {
      throw new Stop(say('assetIdError'))
    }
    const { path = '' } = options
    if (path !== '') {
      const part = await inside(
        { platform: core.platform, say, pool, signal, stall: core.limits.stall },
        root,
        path,
        info,
      )
      root = part.root
      info = part.info
      pool.end()
      earlier = pool.details
      pool = poolOf(info)
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
        // What an earlier download has left is counted while nodes are probed: it tells no speed.
        if (now.state !== 'probing') meter.add(now.loaded - loaded)
        loaded = now.loaded
        const progress = { ...now, percent: percent(now.loaded, now.total), speed: meter.speed }
        listener.tell(progress, state !== now.state)
        state = now.state
      },
    }
    const type = path === '' ? (assetType ?? info.asset_type) : info.asset_type
    const asFolder = assetTypeOf(type) === 'folder'
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
  pool.end()
  stop.abort()
  const ok = isSuccess(result)
  // A look at a small picture is not traced.
  if (info.trace_id)
    await reportTransfer(core.api, say, {
      traceId: info.trace_id,
      cid: info.asset_cid,
      type: 'download',
      ok,
      size: loaded,
      began,
      ended: Date.now(),
      firstByte: pool.firstByte,
      details: [...earlier, ...pool.details],
      availableNodes: info.available_nodes,
      addresses: info.url.length,
      error: ok ? '' : result.msg,
    })
  return ok ? result : { ...result, data: { ...result.data, trace_id: info.trace_id } }
}

/** The addresses of content, for callers that fetch by themselves. Throws nothing. */
export async function getAddresses(core: Core, options: DownloadOptions): Promise<Result<DownloadInfo>> {
  return settle(core, async () => {
    const info = need(await askAddresses(core, options, options.signal))
    return success(info, core.api.lang)
  })
}
