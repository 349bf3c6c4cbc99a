import { addressAt } from './addresses.ts'

/** What an address carries after `?`. A key that a route leaves out stays as it came: what will not do has to become undefined. */
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

/** Which page of a list; the first goes without saying. */
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
  /** Where to go afterwards: an address of this site. */
  redirect?: string | undefined
}

/** The page of ours that somebody wants to see after signing in: an address of this site, or a bare word that names one. */
function pageOf(wanted: string | undefined): string | undefined {
  if (!wanted) return undefined
  // `//host` and `/\host` lead elsewhere, also with a tab or a line break within, which browsers leave out.
  if (wanted.startsWith('/')) return /^\/(?![/\\])\P{Cc}*$/u.test(wanted) ? wanted : undefined
  return /^[\w-]+$/.test(wanted) && addressAt(`/${wanted}`) ? `/${wanted}` : undefined
}

export const loginSearch = (search: Search): LoginSearch => ({
  mode: oneOf(search, 'mode', modes),
  redirect: pageOf(text(search, 'redirect')),
})

/** What a share link carries; `cid` is the number of a folder in /groupPreview. */
export interface ShareSearch {
  /** A number stays one, or the router would put quotes around it. */
  cid?: string | number | undefined
  AssetType?: string | undefined
  address?: string | undefined
  area_id?: string | undefined
  /** The number of the shared folder that the file lies in. */
  group?: number | undefined
  /** What is shown of an uploaded folder: `a/b`. */
  path?: string | undefined
}

export const shareSearch = (search: Search): ShareSearch => ({
  ...Object.fromEntries(['AssetType', 'address', 'area_id', 'path'].map((key) => [key, text(search, key)])),
  cid: typeof search.cid === 'number' ? search.cid : text(search, 'cid'),
  group: count(search, 'group'),
})

export interface PreviewSearch extends ShareSearch {
  name?: string | undefined
}

export const previewSearch = (search: Search): PreviewSearch => ({ ...shareSearch(search), name: text(search, 'name') })

/** A yes or no of an address; anything else is neither. */
const decided = (search: Search, key: string): boolean | undefined =>
  search[key] === true || search[key] === 'true'
    ? true
    : search[key] === false || search[key] === 'false'
      ? false
      : undefined

export interface FilesSearch {
  folder?: number | undefined
  page?: number | undefined
  view?: 'trash' | undefined
  /** What is looked for in all folders. */
  q?: string | undefined
  sort?: 'name' | 'size' | 'date' | undefined
  direction?: 'asc' | 'desc' | undefined
  kind?: 'group' | 'file' | 'folder' | 'image' | 'video' | 'audio' | 'document' | undefined
  shared?: boolean | undefined
  encrypted?: boolean | undefined
  /** Where a page of a sorted list begins. */
  after?: string | undefined
  /** What to do on arrival, once. */
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
    shared: decided(search, 'shared'),
    encrypted: decided(search, 'encrypted'),
    after: text(search, 'after')?.slice(0, 2000),
    do: oneOf(search, 'do', ['folder', 'help']),
  }
}

export interface CenterSearch {
  /** 1: what is used, 2: what can be bought. */
  tab?: number | undefined
  /** Which order is looked at. */
  order?: string | undefined
  /** Which one is to be replaced by a larger one. */
  upgrade?: string | undefined
  /** What was chosen on the page of prices: cores, GB, GB, hours. */
  machine?: string | undefined
}

export const centerSearch = (search: Search): CenterSearch => ({
  tab: count(search, 'tab'),
  order: text(search, 'order')?.slice(0, 64),
  upgrade: text(search, 'upgrade')?.slice(0, 64),
  machine: text(search, 'machine')?.slice(0, 24),
})

export const WORKLOAD_VIEWS = ['usage', 'files', 'settings'] as const
export type WorkloadView = (typeof WORKLOAD_VIEWS)[number]
