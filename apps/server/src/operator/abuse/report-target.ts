import { parseCid } from '@tidenet/content/cid'
import { AppError } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'
import { harmlessText } from '../../storage/index.ts'

/** What a report points at. */
export interface ReportTarget {
  /** The same for all ways to name a target. */
  key: string
  /** Version 1, base32; empty if the link names none. */
  cid: string
  /** Of a short link. */
  token: string
  /** What the reporter entered, in one line, without tokens of nodes. */
  text: string
}

const TOKEN = /^\/s\/([1-9A-HJ-NP-Za-km-z]{16})\/?$/
/** Query parameters of share links that name a content; what is open over a folder first. */
const CID_PARAMETERS = ['preview', 'cid'] as const
/** Parameters that differ for every visitor, or let the bearer in. */
const NOT_A_NAME = ['token', 'via']

/**
 * Finds out what a report points at, from its text alone: the server fetches nothing.
 * @throws AppError reportTarget
 */
export function readReportTarget(entered: string): ReportTarget {
  const text = harmlessText(entered).replaceAll(/\s+/g, ' ')
  const plain = findCid(text)
  if (plain) return { ...plain, token: '', text }
  const url = URL.parse(text)
  if (!url || !['http:', 'https:', 'ipfs:'].includes(url.protocol)) throw new AppError('reportTarget')
  for (const name of NOT_A_NAME) url.searchParams.delete(name)
  // Often the key of an encrypted share. Our page does not send it; whoever does must not have it stored.
  url.hash = ''
  const cid = cidIn(url)
  const shown = harmlessText(url.href)
  if (cid) return { ...cid, token: '', text: shown }
  const token = TOKEN.exec(url.pathname)?.[1] ?? ''
  const key = `link:${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`
  return { key, cid: '', token, text: shown }
}

/** The CID that a text is, or that an address names. @returns undefined if there is none */
export function findCidIn(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return (findCid(text.trim()) ?? (url ? cidIn(url) : undefined))?.cid
}

export const keyOfContent = (cid: string): string => `content:${readCid(cid).hash}`

function findCid(text: string): { key: string; cid: string } | undefined {
  try {
    const cid = parseCid(text).toV1().toString()
    return { key: keyOfContent(cid), cid }
  } catch {
    return undefined
  }
}

function cidIn(url: URL) {
  const parameters = CID_PARAMETERS.map((name) => url.searchParams.get(name) ?? '')
  // A subdomain is `<cid>.ipfs.<gateway>`; `ipfs://<cid>` has it as the host.
  const segments = url.pathname.split('/')
  for (const text of [...parameters, url.hostname.split('.')[0] ?? '', ...segments]) {
    const found = text.length >= 46 ? findCid(text) : undefined
    if (found) return found
  }
  return undefined
}
