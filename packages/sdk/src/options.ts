import type { TraceDetail } from '@tidenet/contract'
import type { Account, TransferReport } from './account.ts'
import type { Phrase } from './codes.ts'
import type { ArchiveEntry, ArchiveOptions } from './download/download-archive.ts'
import type { DownloadOptions, DownloadTarget } from './download/types.ts'
import type { Decryption, Encryption } from './encryption.ts'
import type { FolderOptions, ListFolderOptions } from './folder.ts'
import type { Library } from './library.ts'
import type { ShareOptions, Sharing } from './share.ts'
import type { StorageOptions } from './storage.ts'
import type { PathedFile, UploadOptions } from './upload/types.ts'

type KeyOf<T> = T extends object ? keyof T : never
type First<F> = F extends (options: infer O) => unknown ? NonNullable<O> : never

/** Option names; compiles only if they are exactly those of the type. */
const optionsOf = <T>(names: Record<KeyOf<T> & string, true>): readonly string[] => Object.keys(names)

const group = { groupId: true, group_id: true } as const
const area = { areaId: true, area_id: true } as const
const cid = { assetCid: true, asset_cid: true } as const
const where = { source: true, userId: true, groupId: true, areaId: true, ticket: true } as const

/** The options of every public function, and their nested options. */
export const OPTIONS = {
  storage: optionsOf<StorageOptions>({
    token: true,
    url: true,
    debug: true,
    lang: true,
    fetch: true,
    timeout: true,
    retryFor: true,
    onToken: true,
    resume: true,
  }),
  upload: optionsOf<UploadOptions>({
    ...group,
    ...area,
    area_ids: true,
    assetType: true,
    asset_type: true,
    name: true,
    asset_name: true,
    extraId: true,
    extra_id: true,
    md5: true,
    encrypt: true,
    retryCount: true,
    transport: true,
    resume: true,
    signal: true,
  }),
  pathedFile: optionsOf<PathedFile>({ path: true, file: true }),
  encrypt: optionsOf<Encryption>({ passphrase: true, workFactor: true, recipients: true }),
  decrypt: optionsOf<Decryption>({ passphrase: true, identities: true }),
  download: optionsOf<DownloadOptions>({
    ...cid,
    ...group,
    ...area,
    path: true,
    assetType: true,
    asset_type: true,
    source: true,
    opentype: true,
    userId: true,
    user_id: true,
    ticket: true,
    preview: true,
    name: true,
    to: true,
    resume: true,
    decrypt: true,
    load: true,
    onAsk: true,
    onChunk: true,
    signal: true,
  }),
  target: optionsOf<DownloadTarget>({ path: true, stream: true, handle: true }),
  archive: optionsOf<ArchiveOptions>({ entries: true, name: true, to: true, signal: true }),
  archiveEntry: optionsOf<ArchiveEntry>({ path: true, cid: true, assetType: true, size: true }),
  challenge: ['cid', 'nodeId', 'signal'],
  openFolder: optionsOf<FolderOptions>(where),
  listFolder: optionsOf<ListFolderOptions>({ ...where, path: true, look: true, signal: true }),
  signal: ['signal'],
  share: optionsOf<ShareOptions>({
    ...area,
    id: true,
    expireAt: true,
    expire_at: true,
    hasDay: true,
    shortPass: true,
    short_pass: true,
  }),
  revokeSharedLink: optionsOf<First<Sharing['revokeSharedLink']>>({ id: true }),
  createFolder: optionsOf<First<Library['createFolder']>>({ name: true, parent: true }),
  list: optionsOf<First<Library['listDirectoryContents']>>({
    parent: true,
    page: true,
    pageSize: true,
    page_size: true,
  }),
  renameFolder: optionsOf<First<Library['renameFolder']>>({ ...group, name: true, new_name: true }),
  renameAsset: optionsOf<First<Library['renameAsset']>>({ ...cid, name: true, new_name: true }),
  deleteFolder: optionsOf<First<Library['deleteFolder']>>({ ...group, force: true, trash: true }),
  deleteAsset: optionsOf<First<Library['deleteAsset']>>({ ...cid, ...area, trash: true }),
  item: optionsOf<First<Library['getItemDetails']>>({ ...group, cId: true, cid: true }),
  moveAsset: optionsOf<First<Library['moveAsset']>>({ ...cid, ...group }),
  moveFolder: optionsOf<First<Library['moveFolder']>>({ ...group, targetGroupId: true, target_group_id: true }),
  regions: optionsOf<First<Account['listRegions']>>({ cid: true, userId: true, user_id: true }),
  usage: optionsOf<First<Account['usage']>>({ hourly: true, days: true, from: true, to: true }),
  createKey: optionsOf<First<Account['createKey']>>({ name: true, type: true, perms: true }),
  deleteKey: optionsOf<First<Account['deleteKey']>>({ name: true }),
  report: optionsOf<TransferReport>({
    trace_id: true,
    cid: true,
    node_id: true,
    rate: true,
    cost_ms: true,
    total_size: true,
    state: true,
    transfer_type: true,
    log: true,
    available_bandwidth: true,
    first_byte_time: true,
    details: true,
  }),
  reportDetail: optionsOf<TraceDetail>({
    node_id: true,
    state: true,
    transfer_type: true,
    size: true,
    start_at: true,
    end_at: true,
    status_code: true,
    error: true,
  }),
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
