import { createPersistedStore } from './persisted-store.ts'

/** The console's session, independent of the portal's. */
export interface ConsoleSession {
  /** Empty if signed out. */
  token: string
  /** The wallet that the workspaces belong to; empty in the session of a guest workspace. */
  account: string
  /** RFC 3339. */
  expires: string
}

export const CONSOLE_KEY = 'tidenet.workspaces'
export const signedOut: ConsoleSession = { token: '', account: '', expires: '' }

/** The console's session, shared by all tabs. */
export const useConsole = createPersistedStore<ConsoleSession>(CONSOLE_KEY, signedOut)
