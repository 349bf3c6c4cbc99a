import type { OperationName, RouteOf } from './contract.ts'
import type { Parsed } from './route.ts'

/**
 * What a field of an input names, for API keys that are limited to folders:
 * - `free`: nothing of the account
 * - `place`: folders in which something is listed or put: the folders of the key, and all below them
 * - `root`: as `place`, or the root (0), in which the operation shows the folders of the key only
 * - `folder`: folders as items: those below the folders of the key, because these are items of the folder that they are in
 * - `asset`: an asset, by CID; `entry`: its id, which the server sets to the earliest entry below the folders of the key if it is absent;
 *   `target`: an asset or a folder; `found`: assets that the handler looks for below the folders of the key (`namedAssets`)
 * - `link`: a share link by its id; `trash`: items of the trash
 * - `absent`: such keys must not send it
 */
export type ScopedField =
  | 'free'
  | 'place'
  | 'root'
  | 'folder'
  | 'asset'
  | 'entry'
  | 'target'
  | 'found'
  | 'link'
  | 'trash'
  | 'absent'

/** Every field of the input, so that a new field does not compile before it is decided what it names. */
type FieldsOf<N extends OperationName> = { readonly [F in keyof Parsed<RouteOf<N>>]-?: ScopedField }

/** `visitor`: the operation sees a visitor instead of the key. */
export type FolderScope<N extends OperationName = OperationName> = 'visitor' | FieldsOf<N>

const page = { page: 'free', page_size: 'free' } as const
const files = { assets: 'found', asset_ids: 'found' } as const

/**
 * How operations respect API keys that are limited to folders. An operation that is not listed refuses such keys. The server checks the
 * fields before it calls the handler; the handler only has to respect the scope where no field names what it returns.
 */
export const FOLDER_SCOPE: { readonly [N in OperationName]?: FolderScope<N> } = {
  'accounts.vipInfo': {},
  'apiKeys.own': {},
  'agents.record': { tool: 'free' },

  'folders.create': { name: 'free', parent: 'place', encrypted: 'free' },
  'folders.encrypt': { group_id: 'folder' },
  'folders.list': { parent: 'root', ...page },
  'folders.contents': {
    parent: 'root',
    ...page,
    sort: 'free',
    direction: 'free',
    kind: 'free',
    shared: 'free',
    encrypted: 'free',
    after: 'free',
    cid: 'free',
    groupid: 'free',
  },
  /** The handler searches the folders of the key. */
  'folders.search': { q: 'free', kind: 'free', shared: 'free', encrypted: 'free', page_size: 'free', after: 'free' },
  'folders.findNames': { parent: 'place', names: 'free' },
  'folders.moveMany': { ...files, folders: 'folder', target: 'place' },
  'folders.manifest': { ...files, folders: 'place', after: 'free' },
  /** The handler shortens the path. */
  'folders.item': { cid: 'asset', asset_id: 'entry', groupid: 'folder', total: 'free' },
  'folders.rename': { new_name: 'free', group_id: 'folder', asset_cid: 'asset', asset_id: 'entry' },
  'folders.remove': { group_id: 'folder', force: 'free', trash: 'free' },
  'folders.move': { group_id: 'folder', target_group_id: 'place' },

  /** The handler accepts no possession but that of the caller, and changes no entry elsewhere. */
  'assets.create': {
    asset_name: 'free',
    asset_type: 'free',
    asset_size: 'free',
    allow_empty: 'free',
    asset_cid: 'free',
    on_conflict: 'free',
    node_id: 'free',
    group_id: 'place',
    extra_id: 'free',
    md5: 'free',
    area_id: 'free',
    area_ids: 'free',
    need_trace: 'free',
    encrypted: 'free',
    receipt: 'free',
    proof: 'free',
    trace_id: 'free',
  },
  'assets.rename': { asset_cid: 'asset', asset_id: 'entry', new_name: 'free' },
  'assets.remove': { asset_cid: 'asset', asset_id: 'entry', area_id: 'free', trash: 'free' },
  'assets.move': { asset_cid: 'asset', asset_id: 'entry', group_id: 'place' },
  'assets.list': { group_id: 'place', ...page },
  'assets.replicas': { cid: 'asset', asset_id: 'entry' },
  'assets.challenge': { cid: 'asset', asset_id: 'entry', node_id: 'free' },
  'assets.challengeFailed': { cid: 'asset', asset_id: 'entry', node_id: 'free', error: 'free' },
  'assets.detail': 'visitor',
  'assets.location': 'visitor',
  'assets.mapOfCid': 'visitor',

  /** Handlers find buckets and objects below the folders of the key only. */
  's3.buckets': {},
  's3.settings': { bucket: 'free' },
  's3.cors': { bucket: 'free' },
  's3.list': { bucket: 'free', prefix: 'free', delimiter: 'free', after: 'free', limit: 'free' },
  's3.find': { bucket: 'free', key: 'free', version_id: 'free' },
  's3.open': { bucket: 'free', key: 'free', version_id: 'free', receipt_key: 'free' },
  's3.canPut': { bucket: 'free', size: 'free' },
  's3.put': { bucket: 'free', trace_id: 'free', files: 'free' },
  's3.copy': {
    bucket: 'free',
    key: 'free',
    from_bucket: 'free',
    from_key: 'free',
    from_version: 'free',
    from_etag: 'free',
    headers: 'free',
    metadata: 'free',
    tags: 'free',
    if_match: 'free',
    if_none: 'free',
    write_id: 'free',
  },
  's3.setTags': { bucket: 'free', key: 'free', version_id: 'free', tags: 'free' },
  's3.versions': {
    bucket: 'free',
    prefix: 'free',
    delimiter: 'free',
    after_key: 'free',
    after_version: 'free',
    limit: 'free',
  },
  's3.removeVersions': { bucket: 'free', versions: 'free' },
  's3Uploads.begin': {
    bucket: 'free',
    key: 'free',
    headers: 'free',
    metadata: 'free',
    tags: 'free',
    algorithm: 'free',
    checksum_type: 'free',
  },
  's3Uploads.find': { bucket: 'free', key: 'free', upload_id: 'free' },
  's3Uploads.putPart': {
    bucket: 'free',
    key: 'free',
    upload_id: 'free',
    number: 'free',
    cid: 'free',
    size: 'free',
    receipt: 'free',
    md5: 'free',
    checksums: 'free',
  },
  's3Uploads.parts': { bucket: 'free', key: 'free', upload_id: 'free', after: 'free', limit: 'free' },
  's3Uploads.join': { bucket: 'free', key: 'free', upload_id: 'free', parts: 'free' },
  's3Uploads.openPart': { bucket: 'free', key: 'free', upload_id: 'free', number: 'free', receipt_key: 'free' },
  's3Uploads.list': { bucket: 'free', prefix: 'free', after_key: 'free', after_id: 'free', limit: 'free' },
  's3Uploads.end': { bucket: 'free', key: 'free', upload_id: 'free' },
  's3.remove': { bucket: 'free', keys: 'free', conditions: 'free' },

  /** The handlers find imports into the folders of the key only. */
  'imports.options': {},
  'imports.url': { url: 'free', name: 'free', group_id: 'place' },
  'imports.cid': { cid: 'free', name: 'free', group_id: 'place' },
  'imports.s3': {
    endpoint: 'free',
    region: 'free',
    bucket: 'free',
    prefix: 'free',
    access_key_id: 'free',
    secret_access_key: 'free',
    group_id: 'place',
  },
  'imports.list': { ...page },
  'imports.cancel': { id: 'free' },
  'imports.retry': { id: 'free', secret_access_key: 'free' },

  'trash.put': { ...files, folders: 'folder' },
  'trash.restore': { ids: 'trash' },
  'trash.remove': { ids: 'trash' },

  /** The handler does not look for the content in the account. */
  'uploads.info': {
    t: 'free',
    need_trace: 'free',
    md5: 'free',
    area_id: 'free',
    urlModel: 'free',
    size: 'free',
    trace_id: 'free',
    proof: 'free',
    group_id: 'root',
    encrypted: 'free',
    allow_empty: 'free',
    asset_name: 'free',
  },
  /** The same; what is uploaded is listed by `s3.put`. */
  'folderUploads.info': {
    name: 'free',
    trace_id: 'free',
    area_id: 'free',
    proof: 'free',
    gather: 'free',
    allow_empty: 'free',
    files: 'free',
  },
  'uploads.prove': { id: 'free', cid: 'free', sha256: 'free' },
  'uploads.cancel': { trace_id: 'free', asset_cid: 'absent' },
  'uploads.areas': 'visitor',

  'downloads.own': {
    asset_cid: 'asset',
    asset_id: 'entry',
    version_id: 'absent',
    need_trace: 'free',
    user_id: 'free',
    area_id: 'free',
    preview: 'free',
    receipt_key: 'free',
  },
  'downloads.open': 'visitor',
  /** A trace is named by an id that cannot be guessed, and a report changes only the measurements in it. */
  'traces.report': {
    trace_id: 'free',
    user_id: 'free',
    cid: 'free',
    hash: 'free',
    node_id: 'free',
    rate: 'free',
    cost_ms: 'free',
    total_size: 'free',
    state: 'free',
    transfer_type: 'free',
    log: 'free',
    available_bandwidth: 'free',
    first_byte_time: 'free',
    details: 'free',
  },

  'shares.create': {
    username: 'free',
    cid: 'target',
    asset_id: 'entry',
    url: 'free',
    expire_time: 'free',
    short_pass: 'free',
    access_pass: 'free',
    area_id: 'free',
  },
  'shares.info': { username: 'free', cid: 'target', asset_id: 'entry' },
  'shares.get': { username: 'free', cid: 'target', asset_id: 'entry' },
  'shares.setStatus': { user_id: 'free', cid: 'target', asset_id: 'entry', area_id: 'free', status: 'free' },
  'shares.update': { id: 'link', short_pass: 'free', expire_at: 'free' },
  'shares.revoke': { id: 'link' },
  'shares.folder': 'visitor',

  'publications.create': { cid: 'asset', asset_id: 'entry' },
  'publications.remove': { cid: 'asset', asset_id: 'entry' },
  /** The handler lists what is below the folders of the key. */
  'publications.list': { ...page, cid: 'free', asset_id: 'free', folder_id: 'free' },
}
