import { randomBytes } from 'node:crypto'
import {
  AppError,
  type AssetType,
  assetTypeOf,
  type CandidateSlot,
  type contract,
  type DownloadInfo,
  type Output,
  type Parsed,
  REPLICA_STATUS,
  TEMP_FILE_AREAS,
  TEMP_FILE_DOWNLOADS,
  TEMP_FILE_MAX,
  TEMP_FILE_PREVIEWS,
} from '@tidenet/contract'
import { mapOf, placement, requireNotBlocked } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { readCid } from '../../platform/cids.ts'
import { possessionOf } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { sourcesOf } from '../downloads/sources.ts'
import { enforceClientNetworkLimit, grantUpload, type UploadNode } from '../grants/grants.ts'
import { slotsOf, uploadNodes, uploadTargets } from '../grants/targets.ts'
import { acceptReceipt } from '../receipts/receipts.ts'
import { countDownload, countPreview, findTempFile, type TempFile, upsertTempFile } from '../temp-files/temp-files.ts'
import { openTrace } from '../traces/service.ts'

function areasOf(...lists: (readonly string[] | undefined)[]): string[] {
  const areas = readAreas(...lists)
  if (areas.length > TEMP_FILE_AREAS) throw new AppError('tooManyAreas', { max: TEMP_FILE_AREAS })
  return areas
}

export async function tempUploadInfo(
  context: Context,
  input: Parsed<typeof contract.tempFiles.uploadInfo>,
  ip: string,
): Promise<Output<typeof contract.tempFiles.uploadInfo>> {
  if (input.size === 0) throw new AppError('emptyFile')
  if ((input.size ?? 0) > TEMP_FILE_MAX) throw new AppError('tempTooLarge', { max: TEMP_FILE_MAX })
  const areas = areasOf(input.area_id)
  const nodes = await uploadNodes(context, { areas, size: input.size })
  const request = { ip, areas, kind: 'file' as const, max: TEMP_FILE_MAX, size: input.size, cid: '', name: '' }
  const { upload, tokens } = await beginUpload(context, request, nodes)
  const { traceId } = upload
  const { list, area } = await uploadTargets(context, upload, nodes, tokens)
  return {
    AlreadyExists: false,
    CID: '',
    List: list,
    AreaID: area,
    TraceID: traceId,
    available_nodes: list.length,
    Log: '',
  }
}

/**
 * Opens the trace of an upload without an account, and grants it to these nodes.
 * @param account a new one for each upload; begins with `temp:`
 * @throws AppError tooManyUploads
 */
export async function beginUpload(
  context: Context,
  request: {
    ip: string
    areas: string[]
    kind: AssetType
    max: number
    size?: number | undefined
    cid: string
    name: string
  },
  nodes: readonly UploadNode[],
  account = `temp:${randomBytes(9).toString('base64url')}`,
) {
  const network = clientNetworkOf(request.ip)
  return context.db.transaction(async (tx) => {
    await enforceClientNetworkLimit(context, tx, network)
    const traceId = await openTrace(tx, {
      account,
      kind: 'upload',
      cid: request.cid,
      name: request.name,
      offered: nodes.map(({ id }) => id),
      at: now(context),
    })
    const { areas, kind, max, size, cid } = request
    const upload = { traceId, account, network, areas, kind, max, size, ...(cid !== '' && { cid }) }
    return { upload, tokens: await grantUpload(context, tx, upload, nodes) }
  })
}

type Creation = Pick<
  Parsed<typeof contract.tempFiles.create>,
  'asset_cid' | 'asset_name' | 'asset_size' | 'area_id' | 'area_ids' | 'encrypted' | 'receipt'
> & {
  asset_type?: unknown
}

/** Registers an anonymous file for a day. A file whose bytes no node has stored yet is announced, and published when they arrive. */
export async function createTempFile(
  context: Context,
  input: Creation,
  { ip, uid = '' }: { ip: string; uid?: string },
): Promise<CandidateSlot[]> {
  const { text: cid } = readCid(input.asset_cid)
  await requireNotBlocked(context.db, cid)
  const areas = areasOf(input.area_id, input.area_ids)
  if (input.asset_size > TEMP_FILE_MAX) throw new AppError('tempTooLarge', { max: TEMP_FILE_MAX })
  if (input.receipt) await acceptReceipt(context, input.receipt)
  const at = now(context)
  const kind = assetTypeOf(input.asset_type) ?? 'file'
  const row = await context.db.transaction(async (tx) => {
    const content = await placement.lockContent(tx, cid)
    const possession = content && (await possessionOf(tx, cid, { account: uid, visitors: true }))
    if (possession && possession.size > TEMP_FILE_MAX) throw new AppError('tempTooLarge', { max: TEMP_FILE_MAX })
    const size = possession?.size ?? input.asset_size
    const file = await upsertTempFile(
      tx,
      {
        cid,
        stored: possession !== undefined,
        name: input.asset_name,
        size,
        kind: possession?.kind ?? kind,
        areas,
        encrypted: input.encrypted,
        restricted_to: possession?.nodes ?? null,
      },
      at,
    )
    if (!file) throw new AppError('tempUploads')
    await placement.checkContents(tx, [cid], at)
    return file
  })
  if (row.stored && !row.fresh) return []
  const nodes = await uploadNodes(context, { areas })
  const max = Math.min(TEMP_FILE_MAX, input.asset_size)
  const { upload, tokens } = await beginUpload(context, { ip, areas, kind, max, cid, name: input.asset_name }, nodes)
  return slotsOf(context, upload, nodes, tokens)
}

async function requireTempFile(context: Pick<Context, 'db' | 'clock'>, cidText: string): Promise<TempFile> {
  const file = await findTempFile(context.db, readCid(cidText).text, now(context))
  if (!file) throw new AppError('notFound')
  return file
}

/**
 * Addresses of an anonymous file, which has a limited number of downloads. Previews have their own limit, and are refused when the
 * downloads are used up.
 * @throws AppError badCid, notFound, tempDownloads, nodesOffline
 */
export async function tempDownload(
  context: Context,
  cidText: string,
  { preview = false, receiptKey }: { preview?: boolean; receiptKey?: string | undefined } = {},
): Promise<DownloadInfo> {
  const file = await requireTempFile(context, cidText)
  if (file.downloads >= TEMP_FILE_DOWNLOADS || (preview && file.previews >= TEMP_FILE_PREVIEWS))
    throw new AppError('tempDownloads')
  const at = now(context)
  const traceId = await openTrace(context.db, {
    account: `temp:${file.cid}`,
    kind: 'download',
    cid: file.cid,
    name: file.name,
    preview,
    receiptKey,
    at,
  })
  // Sources come first, because an attempt that finds no node must not count as a download.
  const info = await sourcesOf(context, { ...file, account: `temp:${file.cid}`, traceId, receiptKey })
  const counted = await (preview ? countPreview : countDownload)(context.db, file.cid)
  if (counted === 0) throw new AppError('tempDownloads')
  return info
}

const REPLICAS_MAX = 20
/** Older clients know four states. */
const STATUS = { ...REPLICA_STATUS, unverified: REPLICA_STATUS.pulling, removed: REPLICA_STATUS.wanted }

export async function tempInfo(context: Context, cidText: string): Promise<Output<typeof contract.tempFiles.info>> {
  const file = await requireTempFile(context, cidText)
  const replicas = await placement.findCopies(context.db, file, REPLICAS_MAX)
  return {
    total: replicas.length,
    complete: replicas.filter((replica) => replica.state === 'stored').length,
    wanted: await placement.wantedOf(context.db, file.cid),
    name: file.name,
    size: file.size,
    expires_at: file.expires_at.toISOString(),
    downloads_left: Math.max(0, TEMP_FILE_DOWNLOADS - file.downloads),
    share_url: `${context.portalUrl()}/api/v1/storage/temp_file/share/${file.cid}?filename=${encodeURIComponent(file.name)}`,
    maplist: await mapOf(
      context,
      replicas.filter((replica) => replica.state === 'stored').map((replica) => replica.node_id),
    ),
    list: replicas.map((replica) => ({
      NodeID: replica.node_id,
      Status: STATUS[replica.state],
      IsCandidate: replica.kind !== 'edge',
      DoneSize: replica.state === 'stored' ? file.size : 0,
      TotalSize: file.size,
    })),
  }
}
