import type { AssetType } from '@tidenet/contract'
import type { FileConflict, UploadProgress } from '@tidenet/storage'
import { create } from 'zustand'
import type { FolderProgress } from './folder-upload.ts'
import type { Picked } from './picked.ts'

/** `offline`: the connection was lost; the upload continues once it is back. */
export type UploadStage = UploadProgress['state'] | 'waiting' | 'paused' | 'offline' | 'done' | 'failed' | 'cancelled'

export interface UploadOptions {
  /** Folder to put it in; 0 is the root. */
  folder: number
  /** Areas for copies; none: the network decides. */
  areas: string[]
  /** Encrypts in the browser before the upload. In memory only. */
  passphrase?: string
  /** Encrypts for the key of the account's encrypted folders. */
  recipient?: string
  /** Stores each folder as one file with one CID. Otherwise it becomes a folder of the account, with all its files. */
  sealed?: true
  /** Stores what CAR files hold, under the CIDs of their roots, instead of the files. Encrypted ones stay files. */
  importCars?: true
}

/** The item that an upload replaces. What a file contained is kept as a version; other items are moved to the trash after the upload. */
export interface Replaced {
  kind: AssetType | 'group'
  /** A CID or folder number. */
  id: string
  /** Of an asset. */
  asset_id: number
}

/** Whether the replaced item stays, with what it contained as a version. */
export const keepsVersion = (picked: Picked, replaced: Replaced): boolean => replaced.kind === picked.kind

/** An upload with its final name. */
export type Planned = Picked & {
  replaces?: Replaced
  /** The folder of the account that a folder is merged into. */
  into?: number
  /** Of files that this folder has already. */
  onConflict?: FileConflict
}

export interface Upload {
  id: number
  picked: Planned
  options: UploadOptions
  stage: UploadStage
  loaded: number
  total: number
  percent: number
  /** Bytes per second. */
  speed: number
  /** Nodes tried so far. */
  nodes: string[]
  error: string
  /** The network had the bytes already. */
  instant: boolean
  /** The account had the file already. */
  existed: boolean
  cid: string
  /** Of a folder that is uploaded file by file. */
  folder?: FolderProgress | undefined
}

/** The uploads of this tab, oldest first. They continue on other pages. */
export const useUploads = create<{ list: Upload[]; quiet: boolean }>()(() => ({ list: [], quiet: false }))

const ended: readonly UploadStage[] = ['done', 'failed', 'cancelled']
export const hasEnded = ({ stage }: Pick<Upload, 'stage'>): boolean => ended.includes(stage)

/** Whether a failed upload can succeed later: a file of 0 bytes cannot be stored. */
export const canRetry = ({ picked }: Pick<Upload, 'picked'>): boolean => picked.kind === 'folder' || picked.size > 0

export const find = (id: number) => useUploads.getState().list.find((upload) => upload.id === id)

export function change(id: number, facts: Partial<Upload>): void {
  useUploads.setState(({ list }) => ({
    list: list.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload)),
  }))
}

export const fresh = {
  stage: 'waiting' as const,
  loaded: 0,
  percent: 0,
  speed: 0,
  nodes: [],
  error: '',
  instant: false,
  existed: false,
  cid: '',
}
