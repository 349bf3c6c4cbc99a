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

/** Local storage key of the team for which the person acts. */
export const TEAM_KEY = 'tidenet.team'

function read(): ActingTeam | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(TEAM_KEY) ?? 'null') as ActingTeam | null
    return stored && typeof stored.team === 'string' ? stored : undefined
  } catch {
    return undefined
  }
}

/** Read once: a page acts for the same account until it is loaded again. */
const chosen = import.meta.env.SSR ? undefined : read()

export const actingTeam = (): ActingTeam | undefined =>
  chosen && chosen.account === useSession.getState().address ? chosen : undefined
