import { type Cid, parseCid } from '@tidenet/content'
import type { DownloadInfo, TraceDetail } from '@tidenet/contract'
import { slowNodes } from '@tidenet/contract/slow-nodes'
import { assetTypeOf } from '@tidenet/contract/storage-enums'
import { type Core, settle } from '../core.ts'
import { withLinkedAbort } from '../linked-abort.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { reportTransfer } from '../report.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { requestAddresses } from './addresses.ts'
import { downloadFile } from './download-file.ts'
import { downloadFolder } from './download-folder.ts'
import { createNodePool } from './node-pool.ts'
import { createReceipts } from './received.ts'
import { resolvePart } from './resolve-part.ts'
import { checkTarget } from './targets.ts'
import type {
  Download,
  DownloadedAsset,
  DownloadOptions,
  DownloadProgress,
  DownloadTask,
  RenewedAddresses,
} from './types.ts'

/** The server's error number for a share token that is missing or has expired. */
export const TICKET_REFUSED = 2059

/** Starts a download. The task always resolves. */
export function startDownload(
  core: Core,
  options: DownloadOptions,
  onProgress?: (progress: DownloadProgress) => void,
): DownloadTask {
  const stop = new AbortController()
  const running = settle(
    core,
    () => withLinkedAbort(options?.signal, stop, () => run(core, options, onProgress, stop)),
    (error) => core.toFailure('downloadError', { data: { reason: String(error) } }),
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
  const { toFailure, check } = core
  const { signal } = stop
  check.options(options, 'download')
  if (options.decrypt !== undefined) check.options(options.decrypt, 'decrypt', 'decrypt.')
  checkTarget(core, options.to)
  const assetType = options.assetType ?? options.asset_type
  if (assetType !== undefined) check.assetType(assetType)
  const aborted = () => toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } })
  if (options.signal?.aborted) return aborted()

  // The server does not trace previews, so there is nothing to sign.
  const key = options.preview ? undefined : await core.platform.receiptKey()
  const ask = askAgain(core, options, signal, key?.publicKey ?? '')
  const asked = await ask()
  if (!isSuccess(asked)) return signal.aborted ? aborted() : asked
  let info = asked.data
  let receipts = createReceipts(core, key, info)
  const poolOf = ({ url, node_ids, routes }: DownloadInfo) =>
    createNodePool(
      { platform: core.platform, toFailure, signal, firstByte: core.limits.firstByte },
      url,
      node_ids ?? [],
      routes,
    )
  let pool = poolOf(info)
  /** Attempts made while resolving a path inside a folder. */
  let earlier: TraceDetail[] = []
  /** The transfer since the last addresses: each has a trace of its own. */
  let since = { at: Date.now(), loaded: 0, details: 0 }
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  let loaded = 0
  let state: DownloadProgress['state'] | undefined
  let result: Result<DownloadedAsset>
  /** Reports what these addresses gave. Previews are not traced. */
  const report = async (ok: boolean, error = '') => {
    const details = [...earlier, ...pool.details]
    if (info.trace_id)
      await reportTransfer(core.api, toFailure, {
        traceId: info.trace_id,
        cid: info.asset_cid,
        type: 'download',
        ok,
        size: loaded - since.loaded,
        began: since.at,
        ended: Date.now(),
        firstByte: pool.firstByte,
        details: details.slice(since.details),
        availableNodes: info.available_nodes,
        addresses: info.url.length,
        error,
      })
    since = { at: Date.now(), loaded, details: details.length }
  }
  let renewedAt = Date.now()
  const addresses: RenewedAddresses = {
    // A part of an uploaded folder has addresses of its own, which are derived from those of the folder.
    isDue: () => !options.path && Date.now() - renewedAt >= core.limits.renew,
    async renew() {
      const again = await ask()
      if (!isSuccess(again)) throw new Stop(again)
      await receipts.end()
      await report(true)
      info = again.data
      receipts = createReceipts(core, key, info)
      pool.renew(info.url, info.node_ids ?? [], info.routes)
      renewedAt = Date.now()
    },
    async lookAgain() {
      if (!options.path) await addresses.renew().catch(() => {})
    },
  }
  try {
    let root: Cid
    try {
      // Verify against the CID that was requested, not the one in the answer.
      root = parseCid(String(options.assetCid ?? options.asset_cid))
    } catch {
      throw new Stop(toFailure('assetIdError'))
    }
    const { path = '' } = options
    if (path !== '') {
      const part = await resolvePart(
        { platform: core.platform, toFailure, pool, signal, stall: core.limits.stall },
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
      receipts: {
        add: (node, bytes) => receipts.add(node, bytes),
        leave: (node) => receipts.leave(node),
        end: () => receipts.end(),
      },
      addresses,
      signal,
      onProgress(now) {
        // Bytes kept from an earlier download are counted while probing and do not affect the speed.
        if (now.state !== 'probing') meter.add(now.loaded - loaded)
        loaded = now.loaded
        const progress = { ...now, percent: percent(now.loaded, now.total), speed: meter.speed }
        listener.update(progress, state !== now.state)
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
      result = toFailure('downloadError', { data: { reason: String(error) } })
    }
  }
  // Flush progress and end requests that are still waiting for a node.
  listener.flush()
  pool.end()
  stop.abort()
  const ok = isSuccess(result)
  const signed = receipts.end()
  if (ok) result.data.slow = slowNodes([...earlier, ...pool.details])
  await report(ok, ok ? '' : result.msg)
  await signed
  return ok ? result : { ...result, data: { ...result.data, trace_id: info.trace_id } }
}

/** The answers with addresses, as often as they are needed. A share token that expired is replaced if the caller can. */
function askAgain(core: Core, options: DownloadOptions, signal: AbortSignal, receiptKey: string) {
  let { ticket } = options
  const ask = () => requestAddresses(core, { ...options, ...(ticket && { ticket }) }, signal, { receiptKey })
  return async (): Promise<Result<DownloadInfo>> => {
    const asked = await ask()
    if (isSuccess(asked) || asked.data.err !== TICKET_REFUSED || !options.renewTicket) return asked
    const renewed = await options.renewTicket()
    if (!isSuccess(renewed)) return renewed
    ticket = renewed.data.ticket
    return ask()
  }
}

/** Download addresses of content, for callers that fetch it themselves. Throws nothing. */
export async function getAddresses(core: Core, options: DownloadOptions): Promise<Result<DownloadInfo>> {
  return settle(core, async () => {
    const info = need(await requestAddresses(core, options, options.signal))
    return success(info, core.api.lang)
  })
}
