import { create } from 'zustand'
import { api } from '../../lib/api.ts'
import { useSession } from '../../lib/session-store.ts'
import { readVisitor, storeVisitor, useSupport } from '../feedback/support.ts'
import { adoptableUploads, type OwnUpload } from './own-uploads.ts'
import { readGuestKey, storeGuestKey } from './own-workspace.ts'

/** What was left on this device without an account, and can be added to the account that has signed in. */
interface Found {
  files: readonly OwnUpload[]
  /** Messages to support. */
  messages: number
  /** Running guest workspaces: at most one. */
  workspaces: number
}

const nothing: Found = { files: [], messages: 0, workspaces: 0 }

export const useFound = create<Found>()(() => nothing)

export const countFound = ({ files, messages, workspaces }: Found): number => files.length + messages + workspaces

function setFound(found: Found): void {
  useFound.setState(found)
  useSupport.setState({ adoptable: countFound(found) })
}

export const clearFound = (): void => setFound(nothing)

/** Session storage key of the account that answered "not now": it is not asked again in this tab. */
const LATER = 'tidenet.adopt.later'

const readLater = (): string => {
  try {
    return sessionStorage.getItem(LATER) ?? ''
  } catch {
    return ''
  }
}

export function askLater(): void {
  try {
    sessionStorage.setItem(LATER, useSession.getState().address)
  } catch {
    // Without storage, the next page asks again.
  }
  clearFound()
}

/** Looks for it once somebody has signed in. Nothing is added without being asked: devices are shared. */
export async function findLeft(): Promise<void> {
  const { address } = useSession.getState()
  clearFound()
  if (!address || readLater() === address) return
  const visitor = readVisitor()
  const messages = visitor
    ? await api('chat.state', { visitor }).then(
        ({ adoptable }) => adoptable,
        () => undefined,
      )
    : 0
  const workspaces = await countWorkspaces()
  if (useSession.getState().address !== address) return
  // It was deleted, or added to an account.
  if (messages === 0 && readVisitor() === visitor) storeVisitor('')
  setFound({ files: adoptableUploads(), messages: messages ?? 0, workspaces })
}

async function countWorkspaces(): Promise<number> {
  const key = readGuestKey()
  if (key === '') return 0
  const guest = await api('guests.state', { key }).catch(() => undefined)
  if (guest?.state === 'over' || guest?.state === 'failed') storeGuestKey('')
  return guest?.state === 'running' && !guest.adopted ? 1 : 0
}
