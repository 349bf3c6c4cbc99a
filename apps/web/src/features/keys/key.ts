import type { Output, RouteOf } from '@tidenet/contract'
import { formatList } from '../../lib/phrases.ts'
import { t } from './texts.ts'

export type RemovedKey = Output<RouteOf<'apiKeys.list'>>['removed'][number]
export type Key = Output<RouteOf<'apiKeys.list'>>['list'][number]

/** A key that was created or rotated, as far as its dialog shows it. */
export interface NewKey extends Pick<Key, 'name' | 'type' | 'perms'> {
  /** Whole, because it is new. */
  key: string
  secret: string
  /** For S3; empty for a key of `group_id`. */
  accessKeyId: string
  secretAccessKey: string
  /** Absent: it replaces no other; null: the replaced one has stopped. */
  previousUntil?: string | null
}

/** What is shown once of a key that was created or rotated. */
export const secretsOf = ({ key, secret, access_key_id, secret_access_key }: Output<RouteOf<'apiKeys.create'>>) => ({
  key,
  secret,
  accessKeyId: access_key_id,
  secretAccessKey: secret_access_key,
})

/** Names from the root; empty for a deleted folder. */
type FolderPath = readonly string[]

export const pathText = (path: FolderPath): string => (path.length === 0 ? t.deletedFolder : `/${path.join('/')}`)

export const folderList = (folders: readonly { path: FolderPath }[]): string =>
  formatList(folders.map(({ path }) => pathText(path)))
