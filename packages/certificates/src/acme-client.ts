import { Agent } from 'node:https'
import { rootCertificates } from 'node:tls'
import { axios, Client } from 'acme-client'

/** acme-client, with time limits, with errors that keep the CA's code, and with renewal information (ARI, RFC 9773). */

/** What the CA refused, or that it cannot be reached. */
export class AcmeError extends Error {
  override name = 'AcmeError'
  /** Of RFC 8555, such as `rateLimited`; `unreachable` if there was no answer, `unknown` if it was none of ACME. */
  readonly code: string
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** What the CA asks to wait, in ms; 0 if it does not say. */
  readonly retryAfterMs: number
  constructor(code: string, message: string, status = 0, retryAfterMs = 0) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** A CA that takes longer is treated as one that cannot be reached. */
const TIMEOUT_MS = 30_000
/** Directories, orders and chains of certificates are far smaller. */
const ANSWER_BYTES = 1024 * 1024
const PROBLEM = 'urn:ietf:params:acme:error:'
const DETAIL_MAX = 500

/** By origin of the CA. The library has one HTTP client for all. */
const agents = new Map<string, Agent>()
let isPrepared = false

/** The library repeats requests by itself, six times and as late as the CA says; here, failures are planned by `backoff`. */
function prepare() {
  if (isPrepared) return
  isPrepared = true
  const { acmeSettings } = axios.defaults as { acmeSettings?: object }
  Object.assign(axios.defaults, {
    acmeSettings: { ...acmeSettings, retryMaxAttempts: 0 },
    timeout: TIMEOUT_MS,
    maxContentLength: ANSWER_BYTES,
    maxRedirects: 0,
    // A proxy of the environment would see no more than the CA, but the tests' CA is on this machine.
    proxy: false,
  })
  axios.interceptors.request.use((config) => {
    const agent = agents.get(originOf(config.url ?? ''))
    return agent ? { ...config, httpsAgent: agent } : config
  })
  axios.interceptors.response.use(
    (response) => {
      const { status, data, headers } = response as { status: number; data: unknown; headers: Record<string, unknown> }
      const { type, detail } = problemOf(data)
      // The library repeats the request with the nonce of the answer.
      if (status < 400 || type === `${PROBLEM}badNonce`) return response
      const code = type?.startsWith(PROBLEM) ? type.slice(PROBLEM.length) : 'unknown'
      throw new AcmeError(code, detail ?? `The CA answered ${status}.`, status, retryAfter(headers['retry-after']))
    },
    (error: Error & { code?: string }) => {
      throw error instanceof AcmeError ? error : new AcmeError('unreachable', error.code ?? error.message)
    },
  )
}

export interface AcmeAccount {
  directory: string
  /** Private key of the account, PEM. */
  key: string
  url?: string | undefined
  externalAccount?: { kid: string; hmacKey: string } | undefined
}

/** @param roots certificates that the CA's own server is trusted by, beside those that Node.js trusts, PEM */
export function trustRoots(directory: string, roots: string | undefined): void {
  if (roots) agents.set(originOf(directory), new Agent({ ca: [...rootCertificates, roots], keepAlive: true }))
}

export function acmeClientOf(account: AcmeAccount): Client {
  prepare()
  return new Client({
    directoryUrl: account.directory,
    accountKey: account.key,
    ...(account.url && { accountUrl: account.url }),
    ...(account.externalAccount && { externalAccountBinding: account.externalAccount }),
  })
}

/** Problems are errors of the interceptor. */
const ANY_STATUS = { validateStatus: null }

/** When the CA wants a certificate to be renewed, Unix ms. Undefined: it does not say. @throws AcmeError */
export async function renewalWindow(
  directory: string,
  certId: string,
): Promise<{ start: number; end: number /** 0: not said. */; retryAfterMs: number } | undefined> {
  prepare()
  const { renewalInfo } = ((await axios.get(directory, ANY_STATUS)) as { data: { renewalInfo?: unknown } }).data
  if (typeof renewalInfo !== 'string') return undefined
  const { data, headers } = (await axios.get(`${renewalInfo.replace(/\/$/, '')}/${certId}`, ANY_STATUS)) as {
    data: { suggestedWindow?: { start?: string; end?: string } }
    headers: Record<string, unknown>
  }
  const start = Date.parse(data.suggestedWindow?.start ?? '')
  const end = Date.parse(data.suggestedWindow?.end ?? '')
  return end > start ? { start, end, retryAfterMs: retryAfter(headers['retry-after']) } : undefined
}

/** The first problem of an order or authorization, in the CA's words. */
export function problemOf(data: unknown): { type?: string; detail?: string } {
  if (typeof data !== 'object' || data === null) return {}
  const { type, detail } = data as { type?: unknown; detail?: unknown }
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof detail === 'string' && { detail: detail.slice(0, DETAIL_MAX) }),
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

/** Seconds, or a date. */
function retryAfter(header: unknown): number {
  if (typeof header !== 'string') return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
