import { UsersRound } from 'lucide-react'
import { type ActingTeam, actFor } from '../../lib/team.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'

/** On every page of the console while the person acts for a team. */
export function ActingBanner({ team: { name, role } }: { team: ActingTeam }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-accent-soft px-4 py-3 text-sm">
      <UsersRound aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <strong className="font-medium">{t.acting(name, t.roles[role])}</strong>{' '}
        <span className="text-muted">{t.actingHint}</span>
      </p>
      <Button onClick={() => actFor(undefined)}>{t.leaveActing}</Button>
    </div>
  )
}
