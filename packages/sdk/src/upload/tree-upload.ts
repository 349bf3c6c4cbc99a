import type { Answer } from '../api.ts'
import type { ByteSource } from '../bytes.ts'
import type { Core } from '../core.ts'
import type { Seal } from '../encryption.ts'
import type { ResumeStore } from '../platform/resume-store.ts'
import type { FileConflict, UploadedFile } from './tree-types.ts'

/** The upload of a folder, with parsed and validated options. */
export interface TreeUpload {
  core: Core
  /** Of the transfer. */
  name: string
  areas: string[]
  /** Its contents go to the same nodes as those of others with this word, if it is there. */
  gather?: string
  conflict: FileConflict
  allowEmpty: boolean
  retries: number
  seal: Seal | undefined
  store: ResumeStore
  signal: AbortSignal
  paused: () => boolean
  /** Empty before the first files were announced. */
  traceId: string
  /** The number of the next file. */
  next: number
  /** How many folders were created. */
  created: number
  /** Called once for each file. */
  done: (file: UploadedFile) => void
}

/** A file with its place in the account. */
export interface TreeFile {
  item: number
  path: string
  name: string
  folder: number
  /** What is sent: encrypted, if the upload is. */
  source: ByteSource
  size: number
  /** What is sent may be smaller. */
  upTo?: boolean
  /** The id of the entry that it replaces. */
  replaces?: number
}

export type Infos = Answer<'folderUploads.info'>

/** A file with the answer that tells where to send it. */
export interface Granted {
  file: TreeFile
  info: Infos['list'][number]
  nodes: Infos['nodes']
}

/** A file whose bytes the network has, to be listed in the account. */
export interface Stored {
  file: TreeFile
  cid: string
  md5: string
  receipt?: string
  proof?: string
}
