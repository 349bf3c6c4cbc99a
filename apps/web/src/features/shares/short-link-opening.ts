import { ApiError, api } from '../../lib/api.ts'
import { openingOf, rememberShortLink, shortLinkKey } from '../../lib/opened-links.ts'
import { queries } from '../../lib/queries.ts'
import { type UnavailableState, unavailableStateOf } from './share-unavailable.tsx'

/** Error numbers handled here. */
const PASSWORD_NEEDED = 2059
const EMAIL_NEEDED = 2130
const LIMIT_REACHED = 2064

/** An opened short link. */
export interface OpenedLink {
  cid: string
  kind: 'file' | 'folder' | 'group'
  owner: string
  own: false
  shareToken: string
  /** What opened it; '' without a password. */
  password: string
}

/** A link by which visitors upload files, and see nothing. */
export interface UploadTarget {
  /** For the SDK's uploads. */
  ticket: string
  /** Of the folder. */
  name: string
  filesLeft: number
  bytesLeft: number
}

export type ShortLinkState =
  | { state: 'open'; link: OpenedLink }
  | { state: 'upload'; target: UploadTarget }
  | { state: 'locked' }
  | { state: 'email' }
  | { state: UnavailableState }

/** Of links that were opened on this page, in memory only: their tokens last an hour, and are then renewed without asking again. */
const passwords = new Map<string, string>()

async function open(token: string, password: string): Promise<ShortLinkState> {
  const opened = await api('shortLinks.open', openingOf(token, password))
  const { user_id: owner, ticket, cid, kind, name, upload } = opened
  if (kind === 'upload') {
    const { files_left: filesLeft, bytes_left: bytesLeft } = upload ?? { files_left: 0, bytes_left: 0 }
    return { state: 'upload', target: { ticket, name, filesLeft, bytesLeft } }
  }
  rememberShortLink(owner, token)
  return { state: 'open', link: { cid, kind, owner, own: false, shareToken: ticket, password } }
}

/** Opens a link, with the password that was entered for it. @throws ApiError for other reasons than those that the state names */
export async function stateOf(token: string): Promise<ShortLinkState> {
  try {
    return await open(token, passwords.get(token) ?? '')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.err === PASSWORD_NEEDED) return { state: 'locked' }
    if (error.err === EMAIL_NEEDED) return { state: 'email' }
    if (error.err === LIMIT_REACHED) return { state: 'linkUsedUp' }
    const closed = unavailableStateOf(error)
    if (closed) return { state: closed }
    // Its owner may have changed the password.
    if (error.kind === 'refused' && passwords.delete(token)) return stateOf(token)
    throw error
  }
}

/** @throws ApiError also for a wrong password */
export async function openWithPassword(token: string, password: string): Promise<ShortLinkState> {
  const opened = await open(token, password)
  passwords.set(token, password)
  return opened
}

/**
 * Opens a link that receives files again, because the ticket of its uploads is no longer accepted. If the link asks for a password or an address
 * by now, its page does, too; for a link that ended, the page stays and says why uploads failed.
 * @throws ApiError without a connection
 */
export async function reopenForUploads(token: string): Promise<ShortLinkState> {
  const state = await stateOf(token)
  if (['upload', 'locked', 'email'].includes(state.state)) queries.setQueryData(shortLinkKey(token), state)
  return state
}

/** Counts an uploaded file in what the page says is left. */
export function countUploaded(token: string, size: number): void {
  queries.setQueryData<ShortLinkState>(shortLinkKey(token), (before) => {
    if (before?.state !== 'upload') return before
    const { filesLeft, bytesLeft } = before.target
    const left = { filesLeft: Math.max(0, filesLeft - 1), bytesLeft: Math.max(0, bytesLeft - size) }
    return { ...before, target: { ...before.target, ...left } }
  })
}
