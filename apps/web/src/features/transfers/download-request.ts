import type { AssetType } from '@tidenet/contract'
import type { ArchiveEntry } from '@tidenet/storage'

/** What to download, and what grants access. */
export interface DownloadRequest {
  cid: string
  name: string
  /** Bytes; 0 if unknown. */
  size: number
  assetType: AssetType
  /** An entry of an uploaded folder, such as `a/b`, instead of the whole. */
  path?: string
  /** Several files and folders as one archive, which has no CID: of the account, or with `shared` of a shared folder, by entry. */
  archive?: { assetIds?: number[]; entries?: ArchiveEntry[]; folders: number[]; format: 'tar' | 'zip' }
  /** A shared file, or files of a shared folder. `password`: what opened the link; it opens it again when the share token expires. */
  shared?: { userId: string; shareToken?: string; password?: string; groupId?: number; areas?: string[] }
  /** An anonymous file. */
  temporary?: boolean
  encrypted: boolean
  /** The chosen save location; without it the browser saves the file. */
  handle?: FileSystemFileHandle
  /** A passphrase or an age identity that decrypts the file; without it the ciphertext is saved. */
  passphrase?: string
}

export type ArchiveRequest = DownloadRequest & Required<Pick<DownloadRequest, 'archive'>>

/** The file name to save, with `.tar` or `.zip` for folders and `.age` for ciphertext. */
export function savedName({ name, passphrase, encrypted, assetType, archive }: DownloadRequest): string {
  if (archive) return `${name}.${archive.format}`
  if (assetType === 'folder') return `${name}.tar`
  return encrypted && !passphrase ? `${name}.age` : name
}
