import type { Phrase } from './codes.ts'

const group = ['groupId', 'group_id'] as const
const area = ['areaId', 'area_id'] as const
const cid = ['assetCid', 'asset_cid'] as const
const linkTerms = [
  'note',
  'shortPass',
  'short_pass',
  'expireAt',
  'expire_at',
  'hasDay',
  'maxDownloads',
  'max_downloads',
  'emails',
  'uploadFiles',
  'upload_files',
  'uploadBytes',
  'upload_bytes',
] as const
const entry = ['assetId', 'asset_id'] as const
const where = ['source', 'userId', 'groupId', 'areaId', 'ticket'] as const

/** The options of every public function, and their nested options. The tests compile only if they are those of the types. */
export const OPTIONS = {
  storage: ['token', 'url', 'debug', 'lang', 'fetch', 'timeout', 'retryFor', 'onToken', 'resume', 'team'],
  upload: [
    ...group,
    'ticket',
    ...area,
    'area_ids',
    'assetType',
    'asset_type',
    'name',
    'asset_name',
    'extraId',
    'extra_id',
    'onConflict',
    'on_conflict',
    'md5',
    'allowEmpty',
    'importCar',
    'encrypt',
    'retryCount',
    'transport',
    'resume',
    'signal',
  ],
  folderUpload: [
    'parent',
    'name',
    'onConflict',
    'concurrency',
    'areaId',
    'allowEmpty',
    'encrypt',
    'retryCount',
    'resume',
    'onFile',
    'signal',
  ],
  pathedFile: ['path', 'file'],
  encrypt: ['passphrase', 'workFactor', 'recipients'],
  decrypt: ['passphrase', 'identities'],
  download: [
    ...cid,
    ...group,
    ...area,
    'path',
    'assetType',
    'asset_type',
    'source',
    'opentype',
    'userId',
    'user_id',
    'ticket',
    'renewTicket',
    'chat',
    'preview',
    'name',
    'to',
    'resume',
    'waitForNodes',
    'decrypt',
    'load',
    'onAsk',
    'onChunk',
    'signal',
  ],
  target: ['path', 'stream', 'handle'],
  archive: ['entries', 'items', 'shared', 'name', 'format', 'to', 'decrypt', 'signal'],
  archiveItems: ['assets', 'assetIds', 'folders'],
  archiveShared: ['userId', 'groupId', 'ticket', 'renewTicket', 'folders', 'entries'],
  archiveEntry: ['path', 'cid', 'assetType', 'size', 'encrypted'],
  challenge: ['cid', 'nodeId', 'signal'],
  openFolder: where,
  openFile: [...where, 'path', 'decrypt', 'signal'],
  listFolder: [...where, 'path', 'look', 'signal'],
  signal: ['signal'],
  share: [...area, 'id', 'expireAt', 'expire_at', 'hasDay', 'shortPass', 'short_pass'],
  revokeSharedLink: ['id'],
  createLink: ['id', ...entry, ...linkTerms],
  listLinks: ['page', 'pageSize', 'page_size', 'q', 'state', 'kind', 'item', ...entry],
  changeLink: ['id', 'active', ...linkTerms],
  createFolder: ['name', 'parent', 'encrypted'],
  vaultPrepare: ['passphrase', 'name', 'workFactor'],
  vaultUnlock: ['passphrase', 'kit', 'passkey'],
  vaultWay: ['passphrase', 'passkey', 'name', 'replaces', 'workFactor'],
  vaultRemove: ['loseFiles'],
  list: ['parent', 'page', 'pageSize', 'page_size'],
  renameFolder: [...group, 'name', 'new_name'],
  renameAsset: [...cid, 'name', 'new_name'],
  deleteFolder: [...group, 'force', 'trash'],
  deleteAsset: [...cid, ...area, 'trash'],
  item: [...group, 'cId', 'cid'],
  moveAsset: [...cid, ...group],
  moveFolder: [...group, 'targetGroupId', 'target_group_id'],
  versions: [...cid, ...entry, 'page', 'pageSize', 'page_size'],
  endings: ['days', 'page', 'pageSize', 'page_size'],
  regions: ['cid', 'userId', 'user_id'],
  usage: ['hourly', 'days', 'from', 'to'],
  createKey: ['name', 'type', 'perms', 'expires', 'ips', 'folders'],
  changeKey: ['name', 'type', 'perms', 'expires', 'ips', 'folders', 'endFormer', 'newName'],
  rotateKey: ['name', 'overlapHours'],
  deleteKey: ['name'],
  restoreKey: ['name'],
  report: [
    'trace_id',
    'cid',
    'node_id',
    'rate',
    'cost_ms',
    'total_size',
    'state',
    'transfer_type',
    'log',
    'available_bandwidth',
    'first_byte_time',
    'details',
  ],
  reportDetail: [
    'node_id',
    'state',
    'transfer_type',
    'size',
    'start_at',
    'end_at',
    'status_code',
    'error',
    'first_byte',
    'relayed',
  ],
} as const satisfies Record<string, readonly string[]>

export type OptionsName = keyof typeof OPTIONS

/** The first unknown option and the closest known one. Undefined options are ignored. */
export function unknownOption(
  given: object,
  known: readonly string[],
): { name: string; near: string | undefined } | undefined {
  const name = Object.keys(given).find(
    (key) => !known.includes(key) && (given as Record<string, unknown>)[key] !== undefined,
  )
  return name === undefined ? undefined : { name, near: nearest(name, known) }
}

/** The message for an unknown option. */
export function optionPhrase(
  { name, near }: NonNullable<ReturnType<typeof unknownOption>>,
  of: OptionsName,
  within = '',
): { phrase: Phrase; fill: string[] } {
  if (near !== undefined) return { phrase: 'optionMeant', fill: [within + name, within + near] }
  return { phrase: 'optionUnknown', fill: [within + name, OPTIONS[of].join(', ')] }
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.replaceAll(/[_-]/g, '').toLowerCase()
  const wanted = plain(name)
  let near: string | undefined
  let least = Math.max(2, Math.floor(wanted.length * 0.4)) + 1
  for (const option of known) {
    const way = distance(wanted, plain(option))
    if (way < least && way < option.length) {
      near = option
      least = way
    }
  }
  return near
}

/** Edit distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
