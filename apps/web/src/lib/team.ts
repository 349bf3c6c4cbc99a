import type { TeamRole } from '@tidenet/contract'
import { useSession } from './session-store.ts'

/** The team for which the person acts in this page. */
export interface ActingTeam {
  team: string
  name: string
  role: TeamRole
  /** The person's account: another person does not act for it. */
  account: string
}

const KEY = 'tidenet.team'

function read(): ActingTeam | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as ActingTeam | null
    return stored && typeof stored.team === 'string' ? stored : undefined
  } catch {
    return undefined
  }
}

/** Read once: a page acts for the same account until it is loaded again. */
const chosen = import.meta.env.SSR ? undefined : read()

export const actingTeam = (): ActingTeam | undefined =>
  chosen && chosen.account === useSession.getState().address ? chosen : undefined

/** The account whose files this page shows: the team's, or the person's. */
export const useStorageAccount = (): string =>
  useSession(({ address }) => (chosen?.account === address ? chosen.team : address))

export const storageAccount = (): string => actingTeam()?.team ?? useSession.getState().address

/** Opens the files of a team, or of the person's own account. Loads the page anew, so that nothing of the other account stays in it. */
export function actFor(team: ActingTeam | undefined): void {
  try {
    if (team) localStorage.setItem(KEY, JSON.stringify(team))
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage, teams cannot be opened.
  }
  location.assign('/fileStorage')
}
