import type { DownloadInfo } from '@tidenet/contract'
import type { Core } from '../core.ts'
import { isSuccess, type Result } from '../result.ts'
import type { DownloadOptions, DownloadSource } from './types.ts'

/** Asks the portal for download addresses. */
export async function requestAddresses(
  core: Core,
  options: DownloadOptions,
  signal?: AbortSignal,
  { trace = true, receiptKey = '' }: { trace?: boolean; receiptKey?: string } = {},
): Promise<Result<DownloadInfo>> {
  const { api, toFailure, check } = core
  check.options(options, 'download')
  const cid = options.assetCid ?? options.asset_cid
  const userId = options.userId ?? options.user_id
  const areas = options.areaId ?? options.area_id
  const groupId = options.groupId ?? options.group_id
  check.cid(cid)
  check.areas(areas)
  const source: DownloadSource =
    options.source ?? options.opentype ?? (userId ? 'open' : api.anonymous ? 'temp' : 'own')
  const signs = receiptKey !== '' && { receipt_key: receiptKey }
  const wanted = { asset_cid: cid as string, ...(areas?.length && { area_id: areas }), ...signs }
  let result: Result<DownloadInfo>
  if (source === 'own')
    result = await api.call(
      'downloads.own',
      { ...wanted, need_trace: trace, ...(options.preview && { preview: true }) },
      { signal },
    )
  else if (source === 'temp')
    result = await api.call(
      'tempFiles.download',
      { cid: wanted.asset_cid, need_trace: trace, ...signs, ...(options.preview && { preview: true }) },
      { signal },
    )
  else if (source === 'open')
    result = await api.call(
      'downloads.open',
      {
        ...wanted,
        need_trace: trace,
        ...(userId && { user_id: userId }),
        ...(groupId !== undefined && { group_id: groupId }),
        ...(options.ticket && { ticket: options.ticket }),
        ...(options.preview && { preview: true }),
      },
      { signal },
    )
  else if (source === 'chat' && options.chat) {
    const { attachment, visitor, conversation } = options.chat
    result = await (conversation === undefined
      ? api.call('chat.attachment', { id: attachment, ...(visitor && { visitor }), ...signs }, { signal })
      : api.call('chatDesk.attachment', { id: conversation, attachment, ...signs }, { signal }))
  } else return toFailure('downloadTypeUnknown')
  if (!isSuccess(result)) return result
  const { data } = result
  // A file without bytes needs no node.
  if (!Array.isArray(data.url) || (data.url.length === 0 && data.size !== 0))
    return toFailure('noDownloadAddress', { data: { trace_id: data.trace_id } })
  return result
}
