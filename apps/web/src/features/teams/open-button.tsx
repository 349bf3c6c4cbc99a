import type { Output, RouteOf } from '@tidenet/contract'
import { FolderOpen } from 'lucide-react'
import { useSession } from '../../lib/session-store.ts'
import { actFor } from '../../lib/team.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'

/** A team of the account. */
export type Team = Output<RouteOf<'teams.list'>>['list'][number]

/** Opens the files of the team. */
export function OpenButton({ team }: { team: Team }) {
  const account = useSession(({ address }) => address)
  const { team: uid, name, role } = team
  return (
    <Button
      look="primary"
      icon={<FolderOpen aria-hidden className="size-4" />}
      aria-label={t.openOf(name)}
      onClick={() => actFor({ team: uid, name, role, account })}
    >
      {t.open}
    </Button>
  )
}
