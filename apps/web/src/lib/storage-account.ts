import { useSession } from './session-store.ts'
import { type ActingTeam, actingTeam, TEAM_KEY } from './team.ts'

/** The account whose files this page shows: the team's, or the person's. */
export const useStorageAccount = (): string => useSession(({ address }) => actingTeam()?.team ?? address)

export const storageAccount = (): string => actingTeam()?.team ?? useSession.getState().address

/** Opens the files of a team, or of the person's own account. Loads the page anew, so that nothing of the other account stays in it. */
export function actFor(team: ActingTeam | undefined): void {
  try {
    if (team) localStorage.setItem(TEAM_KEY, JSON.stringify(team))
    else localStorage.removeItem(TEAM_KEY)
  } catch {
    // Without storage, teams cannot be opened.
  }
  location.assign('/fileStorage')
}
