import type { DownloadInfo } from '@tidenet/contract'
import { type Account, createAccount } from './account.ts'
import type { Api } from './api.ts'
import { type Challenge, challengeReplica } from './challenge.ts'
import { type Lang, phrase } from './codes.ts'
import { createCore, type StorageDeps, type StorageOptions } from './create-core.ts'
import type { ArchiveOptions, ArchiveProgress, ArchiveTask } from './download/archive-types.ts'
import { getAddresses, startDownload } from './download/download.ts'
import { startArchive } from './download/download-archive.ts'
import type { DownloadOptions, DownloadProgress, DownloadTask } from './download/types.ts'
import { createEndings, type Endings } from './endings.ts'
import { createFolders, type Folders } from './folder.ts'
import { createLibrary, type Library } from './library.ts'
import { createLinks, type Links } from './links.ts'
import { createFiles, type Files } from './open-file.ts'
import { OPTIONS, optionPhrase, unknownOption } from './options.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import { type Result, success } from './result.ts'
import { createSharing, type Sharing } from './share.ts'
import type { FolderUploadOptions, FolderUploadProgress, FolderUploadTask } from './upload/tree-types.ts'
import type { UploadInput, UploadOptions, UploadProgress, UploadTask } from './upload/types.ts'
import { startUpload } from './upload/upload.ts'
import { startFolderUpload } from './upload/upload-tree.ts'
import { createVault, type Vault } from './vault/vault.ts'
import { createVersions, type Versions } from './versions.ts'

export type { StorageDeps, StorageOptions }

/** Every method resolves to `{ code, msg, data }` and never throws; code 0 is success. */
export interface Storage extends Library, Folders, Files, Account, Sharing, Links, Receipts, Versions, Endings {
  /** Replaces the token. Codes: 1002 empty, 1003 not a string. */
  updateToken(token: string): Result<{ token: string }>
  /** Sets the language: `cn`, `en` or empty. Code 10025 for another value. */
  updateLanguage(lang: Lang): Result<{ lang: Lang }>
  /**
   * Starts uploading a file or a folder. The task can be cancelled.
   * Codes: 1005 name, 10015 upload, 10016 areas, 10017 group, 10018 type, 10025 input, 10027 size, -200 cancelled.
   */
  uploadAsset(input: UploadInput, options?: UploadOptions, onProgress?: (progress: UploadProgress) => void): UploadTask
  /**
   * Starts uploading a folder file by file: it becomes a folder of the account, in which every file can be listed, renamed, moved and shared.
   * A file that fails does not stop the others; `data.failures` lists them. Interrupted uploads continue: files that the folder has already
   * are not sent again. The task can be cancelled. `uploadAsset` uploads a folder as one sealed file with one CID instead.
   * Codes: 1005 name, 10011 parent, 10016 areas, 10018 no folder, 10025 input, -200 cancelled.
   */
  uploadFolder(
    input: UploadInput,
    options?: FolderUploadOptions,
    onProgress?: (progress: FolderUploadProgress) => void,
  ): FolderUploadTask
  /**
   * Starts downloading a file or a folder; every byte is verified. The task can be cancelled.
   * Codes: 1006 CID, 10019 no address, 10020 download, 10021 bad CID, 10022 source, 10028 cancelled, 10029 time, 10030 content or target.
   */
  downloadAsset(options: DownloadOptions, onProgress?: (progress: DownloadProgress) => void): DownloadTask
  /** Download addresses of a file: `{ url, node_ids, size, file_name, trace_id, … }`. Codes: 1006, 10019, 10022. */
  getDownLoadUrls(options: DownloadOptions): Promise<Result<DownloadInfo>>
  /**
   * Starts downloading several files and folders as one tar or ZIP; every byte is verified. Files whose nodes are away are tried again at the end
   * for 30 seconds. Files of which nothing can be downloaded are left out and listed in `failed`. Codes: as `downloadAsset`.
   */
  downloadArchive(options: ArchiveOptions, onProgress?: (progress: ArchiveProgress) => void): ArchiveTask
  /**
   * Requests a random block of a file of the account from one node, with all blocks on the path to it, and verifies each of them. The data
   * tells whether the node had it; a replica that fails is audited. Codes: 1006, 10021, 10028; the server's 10025 if the node cannot be challenged.
   */
  challengeReplica(replica: { cid: string; nodeId: string; signal?: AbortSignal }): Promise<Result<Challenge>>
  /** The key of the account's encrypted folders. */
  readonly vault: Vault
  /** Calls any operation of the portal by its contract name. */
  readonly api: Api
}

/** The message for unknown options, in the language of the options; undefined if all are known. */
export function unknownStorageOption(options: StorageOptions): string | undefined {
  const unknown = unknownOption(options, OPTIONS.storage)
  if (!unknown) return undefined
  const { phrase: name, fill } = optionPhrase(unknown, 'storage')
  return phrase(name, options.lang ?? 'en', ...fill)
}

/** Creates an independent instance. Throws TypeError for unknown options. */
export function createStorage(options: StorageOptions = {}, deps: StorageDeps = {}): Storage {
  const unknown = unknownStorageOption(options)
  if (unknown !== undefined) throw new TypeError(unknown)
  const core = createCore(options, deps)
  const { api, toFailure } = core
  const files = createFiles(core)
  return {
    ...createLibrary(core),
    ...createFolders(core),
    ...files,
    vault: createVault(core, files),
    ...createAccount(core),
    ...createSharing(core),
    ...createLinks(core),
    ...createReceipts(core),
    ...createVersions(core),
    ...createEndings(core),
    api,
    updateToken(token) {
      if (token === '') return toFailure('tokenEmpty')
      if (typeof token !== 'string') return toFailure('tokenInvalid')
      api.setToken(token)
      return success({ token }, api.lang)
    },
    updateLanguage(lang) {
      if (lang !== 'cn' && lang !== 'en' && lang !== '') return toFailure('optionsInvalid')
      api.setLang(lang)
      return success({ lang }, lang)
    },
    uploadAsset: (input, uploadOptions, onProgress) => startUpload(core, input, uploadOptions, onProgress),
    uploadFolder: (input, uploadOptions, onProgress) => startFolderUpload(core, input, uploadOptions, onProgress),
    downloadAsset: (downloadOptions, onProgress) => startDownload(core, downloadOptions, onProgress),
    getDownLoadUrls: (downloadOptions) => getAddresses(core, downloadOptions),
    downloadArchive: (archiveOptions, onProgress) => startArchive(core, archiveOptions, onProgress),
    challengeReplica: (replica) => challengeReplica(core, replica),
  }
}
