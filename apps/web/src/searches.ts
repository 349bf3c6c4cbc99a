import { addressAt } from './addresses.ts'

/** The query parameters of an address. The router keeps keys that `validateSearch` omits, so invalid values must become undefined. */
export type Search = Record<string, unknown>

export const text = (search: Search, key: string): string | undefined => {
  const value = search[key]
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

export const count = (search: Search, key: string): number | undefined => {
  const value = Number(search[key])
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

export const oneOf = <T extends string>(search: Search, key: string, values: readonly T[]): T | undefined =>
  values.find((value) => value === search[key])

/** The page of a list; undefined for the first. */
export function pageSearch(search: Search): { page?: number | undefined } {
  const page = count(search, 'page')
  return { page: page && page > 1 ? page : undefined }
}

export const articleTypes = ['BASICS', 'NEWS', 'CASES'] as const
export type ArticleType = (typeof articleTypes)[number]

const modes = ['password', 'code', 'signup', 'reset'] as const
export type LoginMode = (typeof modes)[number]

export interface LoginSearch {
  mode?: LoginMode | undefined
  /** Where to go after signing in: an address of this site. */
  redirect?: string | undefined
}

/** Validates a redirect target: an address of this site, or the bare name of a page such as `dashboard`. Prevents open redirects. */
function redirectTarget(value: string | undefined): string | undefined {
  if (!value) return undefined
  // `//host` and `/\host` are other sites. Browsers drop control characters, so those are rejected too.
  if (value.startsWith('/')) return /^\/(?![/\\])\P{Cc}*$/u.test(value) ? value : undefined
  return /^[\w-]+$/.test(value) && addressAt(`/${value}`) ? `/${value}` : undefined
}

export const loginSearch = (search: Search): LoginSearch => ({
  mode: oneOf(search, 'mode', modes),
  redirect: redirectTarget(text(search, 'redirect')),
})

/** Parameters of a share link; in /groupPreview, `cid` is a folder id. */
export interface ShareSearch {
  /** Numbers stay numbers, because the router puts numeric strings in quotes. */
  cid?: string | number | undefined
  AssetType?: string | undefined
  address?: string | undefined
  area_id?: string | undefined
  /** Id of the shared folder that contains the file. */
  group?: number | undefined
  /** Path within an uploaded folder: `a/b`. */
  path?: string | undefined
  /** CID of the file whose preview is open over a shared folder, and its asset id, because a folder can contain a content several times. */
  preview?: string | undefined
  entry?: number | undefined
  /** The token of a short link, for embedding and for the preview page. */
  link?: string | undefined
}

export const shareSearch = (search: Search): ShareSearch => ({
  ...Object.fromEntries(
    ['AssetType', 'address', 'area_id', 'path', 'preview', 'link'].map((key) => [key, text(search, key)]),
  ),
  cid: typeof search.cid === 'number' ? search.cid : text(search, 'cid'),
  group: count(search, 'group'),
  entry: count(search, 'entry'),
})

/** What is open on the page of a short link; never a CID. */
export const linkSearch = (search: Search): Pick<ShareSearch, 'path'> => ({ path: text(search, 'path') })

export interface PreviewSearch extends ShareSearch {
  name?: string | undefined
}

export const previewSearch = (search: Search): PreviewSearch => ({ ...shareSearch(search), name: text(search, 'name') })

const boolean = (search: Search, key: string): boolean | undefined =>
  search[key] === true || search[key] === 'true'
    ? true
    : search[key] === false || search[key] === 'false'
      ? false
      : undefined

/** What is reported: a link or a CID. */
export const reportSearch = (search: Search): { target?: string | undefined } => ({
  target: text(search, 'target')?.slice(0, 2000),
})

export interface FilesSearch {
  folder?: number | undefined
  page?: number | undefined
  view?: 'trash' | undefined
  /** Search text, for all folders. */
  q?: string | undefined
  sort?: 'name' | 'size' | 'date' | undefined
  direction?: 'asc' | 'desc' | undefined
  kind?: 'group' | 'file' | 'folder' | 'image' | 'video' | 'audio' | 'document' | undefined
  shared?: boolean | undefined
  encrypted?: boolean | undefined
  /** Cursor of a page of a sorted list. */
  after?: string | undefined
  /** CID and asset id of the file whose preview is open. */
  preview?: string | undefined
  entry?: number | undefined
  /** Action to run once when the page opens. */
  do?: 'folder' | 'help' | undefined
}

export function filesSearch(search: Search): FilesSearch {
  const page = count(search, 'page')
  return {
    folder: count(search, 'folder'),
    page: page && page > 1 ? page : undefined,
    view: oneOf(search, 'view', ['trash']),
    q: text(search, 'q')?.slice(0, 200),
    sort: oneOf(search, 'sort', ['name', 'size', 'date']),
    direction: oneOf(search, 'direction', ['asc', 'desc']),
    kind: oneOf(search, 'kind', ['group', 'file', 'folder', 'image', 'video', 'audio', 'document']),
    shared: boolean(search, 'shared'),
    encrypted: boolean(search, 'encrypted'),
    after: text(search, 'after')?.slice(0, 2000),
    preview: text(search, 'preview')?.slice(0, 200),
    entry: count(search, 'entry'),
    do: oneOf(search, 'do', ['folder', 'help']),
  }
}

export interface LinksSearch {
  page?: number | undefined
  q?: string | undefined
  state?: 'live' | 'off' | 'expired' | 'used_up' | 'gone' | 'revoked' | undefined
}

export const linksSearch = (search: Search): LinksSearch => ({
  ...pageSearch(search),
  q: text(search, 'q')?.slice(0, 200),
  state: oneOf(search, 'state', ['live', 'off', 'expired', 'used_up', 'gone', 'revoked']),
})

export interface DevicesSearch {
  /** The device whose statement is open. */
  statement?: string | undefined
  /** The day of the statement (UTC): `2026-01-31`. */
  day?: string | undefined
}

export function devicesSearch(search: Search): DevicesSearch {
  const day = text(search, 'day')
  const isDay = day !== undefined && /^2\d{3}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
  return { statement: text(search, 'statement')?.slice(0, 80), day: isDay ? day : undefined }
}

export interface WhisperSearch {
  /** The transcript that is open. */
  task?: string | undefined
  /** Its segment to show, counted from 1. */
  segment?: number | undefined
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export function whisperSearch(search: Search): WhisperSearch {
  const task = text(search, 'task')?.toLowerCase()
  return { task: task && uuid.test(task) ? task : undefined, segment: count(search, 'segment') }
}

export interface ExchangeSearch {
  /** The exchange whose details are open. */
  order?: string | undefined
}

export const exchangeSearch = (search: Search): ExchangeSearch => ({ order: text(search, 'order')?.slice(0, 64) })

export interface CenterSearch {
  /** 1: orders in use, 2: buy. */
  tab?: number | undefined
  /** The order whose details are open. */
  order?: string | undefined
  /** The order to upgrade. */
  upgrade?: string | undefined
  /** The configuration chosen on the pricing page: CPU cores, GB memory, GB disk, hours. */
  machine?: string | undefined
}

export const centerSearch = (search: Search): CenterSearch => ({
  tab: count(search, 'tab'),
  order: text(search, 'order')?.slice(0, 64),
  upgrade: text(search, 'upgrade')?.slice(0, 64),
  machine: text(search, 'machine')?.slice(0, 24),
})

/** A folder of the storage that a program gets. */
export interface FolderSearch {
  folder?: number | undefined
  name?: string | undefined
}
export const folderSearch = (search: Search): FolderSearch => ({
  folder: count(search, 'folder'),
  name: text(search, 'name')?.slice(0, 255),
})

export const WORKLOAD_VIEWS = ['usage', 'files', 'settings'] as const
export type WorkloadView = (typeof WORKLOAD_VIEWS)[number]
