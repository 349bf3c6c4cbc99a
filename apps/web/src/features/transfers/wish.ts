import type { AssetType } from '@tidenet/contract'

/** What is downloaded, and by which right. */
export interface DownloadWish {
  cid: string
  name: string
  /** Bytes, as far as known. */
  size: number
  assetType: AssetType
  /** What lies at `a/b` in an uploaded folder, instead of the whole. */
  path?: string
  /** Several files and folders of the account as one tar; there is no CID of that. */
  archive?: { assets: string[]; folders: number[] }
  /** Someone else's file: its owner, and what opens it. */
  shared?: { userId: string; ticket?: string; groupId?: number; areas?: string[] }
  /** Left by somebody without an account. */
  temporary?: boolean
  encrypted: boolean
  /** Where the person wants it; without it the browser saves it. */
  handle?: FileSystemFileHandle
  /** Opens what was encrypted; without it the file is saved as it is stored. */
  passphrase?: string
}

/** An archive, and an encrypted file that is saved as it is, get the endings by which their tools know them. */
export function savedName({ name, passphrase, encrypted, assetType }: DownloadWish): string {
  if (assetType === 'folder') return `${name}.tar`
  return encrypted && !passphrase ? `${name}.age` : name
}
