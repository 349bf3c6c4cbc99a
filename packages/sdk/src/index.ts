/** Client of a Tidenet network: upload, download, folders, shares and keys, for browsers and Node.js. */
import { platform } from '#platform'
import type { ResumeStore } from './platform/resume-store.ts'
import { getInstance, initialize } from './shared-instance.ts'

export type { SlowNode } from '@tidenet/contract/slow-nodes'
export type { Account, KeyLimits, KeyPermission, TransferReport, UserProfile } from './account.ts'
export type { Api } from './api.ts'
export type { Challenge } from './challenge.ts'
export { catalogue, codes, codeText, type Lang } from './codes.ts'
export type {
  ArchiveEntry,
  ArchiveFormat,
  ArchiveItems,
  ArchiveOptions,
  ArchiveProgress,
  ArchiveTask,
  DownloadedArchive,
  SharedItems,
} from './download/archive-types.ts'
export type { Load, Measured } from './download/load.ts'
export type {
  ChunkAsked,
  ChunkReport,
  DownloadedAsset,
  DownloadOptions,
  DownloadProgress,
  DownloadSource,
  DownloadTarget,
  DownloadTask,
} from './download/types.ts'
export type { SealedBy } from './encryption.ts'
export type { EndingFiles, Endings } from './endings.ts'
export type {
  FolderEntry,
  FolderListing,
  FolderOptions,
  Folders,
  ListFolderOptions,
  OpenFolder,
} from './folder.ts'
export type { Library } from './library.ts'
export type { LinkChange, LinkQuery, Links, LinkTerms, NewLink } from './links.ts'
export type { Files, OpenFile, OpenFileOptions } from './open-file.ts'
export { memoryResumeStore, type ResumeStore, type UnfinishedUpload } from './platform/resume-store.ts'
export type { ReceiptFile, Receipts } from './receipts.ts'
export { type Failure, type FailureData, isSuccess, type Result, type Success } from './result.ts'
export type { SharedLink, ShareOptions, Sharing } from './share.ts'
export { getInstance, initialize } from './shared-instance.ts'
export { createStorage, type Storage, type StorageOptions } from './storage.ts'
export { entriesOf } from './upload/entries-of.ts'
export type {
  FileConflict,
  FolderUploadOptions,
  FolderUploadProgress,
  FolderUploadTask,
  UploadedFile,
  UploadedFileState,
  UploadedFolder,
} from './upload/tree-types.ts'
export type {
  PathedFile,
  UploadedAsset,
  UploadInput,
  UploadOptions,
  UploadProgress,
  UploadState,
  UploadTask,
} from './upload/types.ts'
export type { KitDraft, NewVaultWay, Vault, VaultInfo, VaultUnlock } from './vault/vault.ts'
export type { VaultKey } from './vault/wraps.ts'
export type { VersionedFile, Versions } from './versions.ts'
export { verifyWebhook, type WebhookEvent, WebhookInvalid } from './webhook.ts'

/**
 * Remembers unfinished uploads across restarts, for the option `resume`.
 * @param where a file (Node.js; it contains node tokens, mode 0600), or the name of an IndexedDB database (browsers)
 */
export const persistentResumeStore = (where: string): ResumeStore => platform.resumeStore(where)

/** `Storage.initialize({ token, url })`, then `Storage.getInstance()` anywhere. */
export default { initialize, getInstance }
