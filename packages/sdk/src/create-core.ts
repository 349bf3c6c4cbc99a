import {
  DOWNLOAD_STALL_TIMEOUT,
  DOWNLOAD_TOKEN_LIFE,
  FIRST_BYTE_TIMEOUT,
  UPLOAD_TIMEOUT_MIN,
} from '@tidenet/contract/constants'
import { platform as thisPlatform } from '#platform'
import { createApi } from './api.ts'
import { createChecks } from './checks.ts'
import type { Lang } from './codes.ts'
import type { Core } from './core.ts'
import type { Platform } from './platform/platform.ts'
import { memoryResumeStore, type ResumeStore } from './platform/resume-store.ts'
import { pause } from './progress.ts'
import { createToFailure } from './result.ts'
import type { RetryPolicy } from './retry.ts'

/** Ms that a download waits for its nodes: long enough for the restart of a node, and for a short loss of the connection. */
const OUTAGE_MAX = 30_000
/** Tokens for downloads are valid for an hour. A chunk takes minutes on the slowest links. */
const RENEW_AFTER = DOWNLOAD_TOKEN_LIFE - 15 * 60_000

export interface StorageOptions {
  /** Session token or API key; empty or the text `token` for anonymous use. */
  token?: string
  /** Origin of the portal. Default: the origin of the page. */
  url?: string
  /** Logs requests to the console. */
  debug?: boolean
  /** Language of messages. Default: the browser's language; English in Node.js. */
  lang?: Lang
  fetch?: typeof globalThis.fetch
  /** Timeout of one call to the portal, ms. Default 30,000. */
  timeout?: number
  /** How long calls without an answer are retried if that is safe, ms; 0 disables retries. Default 10,000. */
  retryFor?: number
  /** Called with every new session token, so that it can be stored. */
  onToken?: (token: string) => void
  /** Where unfinished uploads are stored. Default: in memory. */
  resume?: ResumeStore
  /** The uid of a team of which the signed-in person is a member: files, folders and links are those of the team. */
  team?: string
}

/** Dependencies that tests replace. */
export interface StorageDeps {
  platform?: Platform
  pause?: Core['pause']
  limits?: Partial<Core['limits']>
  /** Clock and waits for retries. */
  retry?: Partial<Omit<RetryPolicy, 'timeout' | 'retryFor'>>
}

/** What all methods of an instance share. */
export function createCore(options: StorageOptions, deps: StorageDeps = {}): Core {
  const platform = deps.platform ?? thisPlatform
  const log: Core['log'] = options.debug ? (text, facts) => console.debug(`[tidenet] ${text}`, facts ?? '') : () => {}
  const api = createApi({
    url: (options.url ?? globalThis.location?.origin ?? '').replace(/\/+$/, ''),
    token: options.token ?? '',
    lang: options.lang ?? platform.language(),
    log,
    retry: {
      ...(deps.pause && { pause: deps.pause }),
      ...deps.retry,
      ...(options.timeout !== undefined && { timeout: options.timeout }),
      ...(options.retryFor !== undefined && { retryFor: options.retryFor }),
    },
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.onToken && { onToken: options.onToken }),
    ...(options.team && { team: options.team }),
  })
  const toFailure = createToFailure(() => api.lang)
  return {
    api,
    toFailure,
    check: createChecks(toFailure),
    platform,
    resume: options.resume ?? memoryResumeStore(),
    pause: deps.pause ?? pause,
    limits: {
      stall: DOWNLOAD_STALL_TIMEOUT,
      firstByte: FIRST_BYTE_TIMEOUT,
      upload: UPLOAD_TIMEOUT_MIN,
      outage: OUTAGE_MAX,
      renew: RENEW_AFTER,
      ...deps.limits,
    },
    log,
  }
}
