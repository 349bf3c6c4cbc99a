import { platform as thisPlatform } from '#platform'
import { type Api, createApi } from './api.ts'
import { createChecks } from './checks.ts'
import type { Lang } from './codes.ts'
import type { Core } from './core.ts'
import { startDownload } from './download/download.ts'
import type { DownloadOptions, DownloadProgress, DownloadTask } from './download/types.ts'
import type { Platform } from './platform/platform.ts'
import { pause } from './progress.ts'
import { createSay } from './result.ts'
import { memoryResumeStore } from './upload/resume-store.ts'
import type { UploadInput, UploadOptions, UploadProgress, UploadTask } from './upload/types.ts'
import { startUpload } from './upload/upload.ts'

export interface StorageOptions {
  /** Session token or API key; empty, or the text `token`, is anonymous. */
  token?: string
  /** Origin of the portal. Default: the origin of the page. */
  url?: string
  /** Tells what it does on the console. */
  debug?: boolean
  lang?: Lang
  fetch?: typeof globalThis.fetch
  /** Told of every new token of the session, to be kept. */
  onToken?: (token: string) => void
}

/** For tests: what the instance would otherwise take from its surroundings. */
export interface Surroundings {
  platform?: Platform
  pause?: Core['pause']
}

export interface Storage {
  /** Uploads a file or a folder. */
  uploadAsset(input: UploadInput, options?: UploadOptions, onProgress?: (progress: UploadProgress) => void): UploadTask
  /** Downloads a file, every byte of it verified. */
  downloadAsset(options: DownloadOptions, onProgress?: (progress: DownloadProgress) => void): DownloadTask
  /** Calls any operation of the portal. */
  readonly api: Api
}

export function createStorage(options: StorageOptions = {}, surroundings: Surroundings = {}): Storage {
  const platform = surroundings.platform ?? thisPlatform
  const log: Core['log'] = options.debug ? (text, facts) => console.debug(`[tidenet] ${text}`, facts ?? '') : () => {}
  const api = createApi({
    url: (options.url ?? globalThis.location?.origin ?? '').replace(/\/+$/, ''),
    token: options.token ?? '',
    lang: options.lang ?? platform.language(),
    log,
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.onToken && { onToken: options.onToken }),
  })
  const say = createSay(() => api.lang)
  const core: Core = {
    api,
    say,
    check: createChecks(say),
    platform,
    resume: memoryResumeStore(),
    pause: surroundings.pause ?? pause,
    log,
  }
  return {
    api,
    uploadAsset: (input, uploadOptions, onProgress) => startUpload(core, input, uploadOptions, onProgress),
    downloadAsset: (downloadOptions, onProgress) => startDownload(core, downloadOptions, onProgress),
  }
}
