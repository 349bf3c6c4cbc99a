import { useSession } from '../../lib/session-store.ts'
import { actingTeam } from '../../lib/team.ts'

/**
 * Who is signed in to the portal in this browser, and can create API keys for programs; empty: nobody. Workspaces belong to persons, so
 * whoever acts for a team cannot: the page would list folders of the team and create keys of the person.
 */
export const usePortalPerson = (): string =>
  useSession(({ emailAddress, address }) => (actingTeam() ? '' : emailAddress || address))
