import type { DownloadInfo } from '@tidenet/contract'
import { DOWNLOAD_STALL, FIRST_BYTE_TIMEOUT, UPLOAD_BUDGET_MIN } from '@tidenet/contract/constants'
import { platform as thisPlatform } from '#platform'
import { type Account, createAccount } from './account.ts'
import { type Api, createApi } from './api.ts'
import { type Challenge, challengeReplica } from './challenge.ts'
import { createChecks } from './checks.ts'
import { type Lang, phrase } from './codes.ts'
import type { Core } from './core.ts'
import type { ArchiveOptions, ArchiveProgress, ArchiveTask } from './download/archive-types.ts'
import { getAddresses, startDownload } from './download/download.ts'
import { startArchive } from './download/download-archive.ts'
import type { DownloadOptions, DownloadProgress, DownloadTask } from './download/types.ts'
import { createFolders, type Folders } from './folder.ts'
import { createLibrary, type Library } from './library.ts'
import { OPTIONS, optionPhrase, unknownOption } from './options.ts'
import type { Patience } from './patience.ts'
import type { Platform } from './platform/platform.ts'
import { memoryResumeStore, type ResumeStore } from './platform/resume-store.ts'
import { pause } from './progress.ts'
import { createSay, type Result, success } from './result.ts'
import { createSharing, type Sharing } from './share.ts'
import type { UploadInput, UploadOptions, UploadProgress, UploadTask } from './upload/types.ts'
import { startUpload } from './upload/upload.ts'

export interface StorageOptions {
  /** Session token or API key; empty, or the text `token`, is anonymous. */
  token?: string
  /** Origin of the portal. Default: the origin of the page. */
  url?: string
  /** Tells what it does on the console. */
  debug?: boolean
  /** Language of messages. Default: that of the browser; English in a program. */
  lang?: Lang
  fetch?: typeof globalThis.fetch
  /** Ms that one call of the portal may take. Default 30,000. */
  timeout?: number
  /** Ms for which calls that get no answer are tried again, where that can do no harm; 0 never. Default 10,000. */
  retryFor?: number
  /** Told of every new token of the session, to be kept. */
  onToken?: (token: string) => void
  /** Where unfinished uploads are remembered. Default: in memory. */
  resume?: ResumeStore
}

/** For tests: what the instance would otherwise take from its surroundings. */
export interface Surroundings {
  platform?: Platform
  pause?: Core['pause']
  limits?: Partial<Core['limits']>
  /** The clock that waiting for the portal goes by. */
  patience?: Partial<Omit<Patience, 'timeout' | 'retryFor'>>
}

/** Every method resolves to `{ code, msg, data }` and throws nothing; code 0 is success. */
export interface Storage extends Library, Folders, Account, Sharing {
  /** Replaces the token. Codes: 1002 empty, 1003 no text. */
  updateToken(token: string): Result<{ token: string }>
  /** Replaces the language: `cn`, `en`, or empty. Code 10025 for another. */
  updateLanguage(lang: Lang): Result<{ lang: Lang }>
  /**
   * Uploads a file or a folder; starts at once. The task can be cancelled.
   * Codes: 1005 name, 10015 upload, 10016 areas, 10017 group, 10018 type, 10025 input, 10027 size, -200 cancelled.
   */
  uploadAsset(input: UploadInput, options?: UploadOptions, onProgress?: (progress: UploadProgress) => void): UploadTask
  /**
   * Downloads a file or a folder, every byte of it verified; starts at once. The task can be cancelled.
   * Codes: 1006 CID, 10019 no address, 10020 download, 10021 bad CID, 10022 source, 10028 cancelled, 10029 time, 10030 content or target.
   */
  downloadAsset(options: DownloadOptions, onProgress?: (progress: DownloadProgress) => void): DownloadTask
  /** Where a file can be fetched: `{ url, node_ids, size, file_name, trace_id, … }`. Codes: 1006, 10019, 10022. */
  getDownLoadUrls(options: DownloadOptions): Promise<Result<DownloadInfo>>
  /**
   * Downloads several files and folders as one tar, every byte of it verified; starts at once. Small files that cannot be had are left out
   * and named in the result. Codes: as `downloadAsset`.
   */
  downloadArchive(options: ArchiveOptions, onProgress?: (progress: ArchiveProgress) => void): ArchiveTask
  /**
   * Asks one node for a block of one of the account's files, taken by chance, with all blocks down to it, and checks each of them.
   * The data says whether the node had it. Codes: 1006, 10021, 10028; 10025 of the server when the node cannot be asked.
   */
  challengeReplica(replica: { cid: string; nodeId: string; signal?: AbortSignal }): Promise<Result<Challenge>>
  /** Calls any operation of the portal by its name in the contract. */
  readonly api: Api
}

/** Why these options are refused, in the language that they ask for; undefined when all of them are known. */
export function unknownStorageOption(options: StorageOptions): string | undefined {
  const unknown = unknownOption(options, OPTIONS.storage)
  if (!unknown) return undefined
  const { phrase: name, fill } = optionPhrase(unknown, 'storage')
  return phrase(name, options.lang ?? 'en', ...fill)
}

/** An instance of its own; any number may live side by side. Throws TypeError for options that there are none of. */
export function createStorage(options: StorageOptions = {}, surroundings: Surroundings = {}): Storage {
  const unknown = unknownStorageOption(options)
  if (unknown !== undefined) throw new TypeError(unknown)
  const platform = surroundings.platform ?? thisPlatform
  const log: Core['log'] = options.debug ? (text, facts) => console.debug(`[tidenet] ${text}`, facts ?? '') : () => {}
  const api = createApi({
    url: (options.url ?? globalThis.location?.origin ?? '').replace(/\/+$/, ''),
    token: options.token ?? '',
    lang: options.lang ?? platform.language(),
    log,
    patience: {
      ...(surroundings.pause && { pause: surroundings.pause }),
      ...surroundings.patience,
      ...(options.timeout !== undefined && { timeout: options.timeout }),
      ...(options.retryFor !== undefined && { retryFor: options.retryFor }),
    },
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.onToken && { onToken: options.onToken }),
  })
  const say = createSay(() => api.lang)
  const core: Core = {
    api,
    say,
    check: createChecks(say),
    platform,
    resume: options.resume ?? memoryResumeStore(),
    pause: surroundings.pause ?? pause,
    limits: {
      stall: DOWNLOAD_STALL,
      firstByte: FIRST_BYTE_TIMEOUT,
      upload: UPLOAD_BUDGET_MIN,
      ...surroundings.limits,
    },
    log,
  }
  return {
    ...createLibrary(core),
    ...createFolders(core),
    ...createAccount(core),
    ...createSharing(core),
    api,
    updateToken(token) {
      if (token === '') return say('tokenEmpty')
      if (typeof token !== 'string') return say('tokenInvalid')
      api.setToken(token)
      return success({ token }, api.lang)
    },
    updateLanguage(lang) {
      if (lang !== 'cn' && lang !== 'en' && lang !== '') return say('optionsInvalid')
      api.setLang(lang)
      return success({ lang }, lang)
    },
    uploadAsset: (input, uploadOptions, onProgress) => startUpload(core, input, uploadOptions, onProgress),
    downloadAsset: (downloadOptions, onProgress) => startDownload(core, downloadOptions, onProgress),
    getDownLoadUrls: (downloadOptions) => getAddresses(core, downloadOptions),
    downloadArchive: (archiveOptions, onProgress) => startArchive(core, archiveOptions, onProgress),
    challengeReplica: (replica) => challengeReplica(core, replica),
  }
}
