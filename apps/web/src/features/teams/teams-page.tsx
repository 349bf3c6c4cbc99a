import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { NAME_MAX } from '@tidenet/contract/constants'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Badge, Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { OpenButton, type Team } from './open-button.tsx'
import { TeamDetails } from './team-details.tsx'
import { t } from './texts.ts'

type Teams = Output<RouteOf<'teams.list'>>
/** Teams of the account, invitations to it, and the details of one team. */
export function TeamsPage() {
  const title = usePageTitle()
  const navigate = useNavigate()
  const { team } = useSearch({ from: '/console/teams' })
  const teams = useQuery(query('teams.list', {}))
  const [creating, setCreating] = useState(false)
  const show = (uid: string | undefined) => void navigate({ to: '/teams', search: { team: uid } })
  if (teams.isPending) return <Loading />
  if (teams.isError) return <LoadFailed title={t.failed} error={teams.error} onRetry={() => void teams.refetch()} />
  const { list, invitations, max } = teams.data
  const chosen = list.find((each) => each.team === team)
  if (chosen) return <TeamDetails team={chosen} onBack={() => show(undefined)} />
  const full = list.filter(({ role }) => role === 'owner').length >= max
  return (
    <div className="mx-auto max-w-4xl">
      <PageTitle
        title={title}
        intro={t.intro}
        actions={
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            disabled={full}
            onClick={() => setCreating(true)}
          >
            {t.create}
          </Button>
        }
      />
      {full && <p className="mb-4 text-sm text-muted">{t.full(max)}</p>}
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      {list.length === 0 ? (
        <NoTeams />
      ) : (
        <section aria-labelledby="own-teams">
          <h2 id="own-teams" className="mb-2 font-semibold">
            {t.teams}
          </h2>
          <Card>
            <ul>
              {list.map((each) => (
                <TeamRow key={each.team} team={each} onManage={() => show(each.team)} />
              ))}
            </ul>
          </Card>
        </section>
      )}
      {creating && (
        <NameDialog
          title={t.createTitle}
          label={t.name}
          hint={t.nameHint}
          max={NAME_MAX}
          action={t.create}
          onClose={() => setCreating(false)}
          onSubmit={async (name) => {
            const created = await api('teams.create', { name })
            refresh('teams.list')
            toast.success(t.created)
            show(created.team)
          }}
        />
      )}
    </div>
  )
}

function NoTeams() {
  const noEmail = useSession(({ emailAddress }) => !emailAddress.includes('@'))
  return (
    <Card>
      <Empty icon={<UsersRound aria-hidden className="size-6" />} title={t.emptyTitle}>
        <p>{t.emptyText}</p>
        {noEmail && <p className="mt-2">{t.noEmail}</p>}
      </Empty>
    </Card>
  )
}

function TeamRow({ team, onManage }: { team: Team; onManage: () => void }) {
  const { name, role, members, used, quota } = team
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line p-5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
          <span translate="no">{name}</span>
          <Badge tone={role === 'owner' ? 'accent' : 'plain'}>{t.roles[role]}</Badge>
        </h3>
        <p className="mt-1 text-sm text-muted">
          {t.members(members)} · {t.usage(formatSize(used), formatSize(quota))}
        </p>
      </div>
      <div className="flex gap-2">
        <Button aria-label={t.manageOf(name)} onClick={onManage}>
          {t.manage}
        </Button>
        <OpenButton team={team} />
      </div>
    </li>
  )
}

function Invitations({ invitations }: { invitations: Teams['invitations'] }) {
  const [busy, setBusy] = useState<number>()
  const answer = async (id: number, accept: boolean) => {
    setBusy(id)
    try {
      await api('teams.answer', { id, accept })
      toast.success(accept ? t.accepted : t.declined)
    } catch (error) {
      toast.error(error)
    }
    refresh('teams.list')
    setBusy(undefined)
  }
  return (
    <section aria-labelledby="invitations" className="mb-8">
      <h2 id="invitations" className="mb-2 font-semibold">
        {t.invitations}
      </h2>
      <Card>
        <ul>
          {invitations.map(({ id, name, role, invited_by, expires_at }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line p-5 last:border-b-0"
            >
              <div className="min-w-0 flex-1 basis-56">
                <h3 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
                  <span translate="no">{name}</span>
                  <Badge>{t.roles[role]}</Badge>
                </h3>
                <p className="mt-1 text-sm text-muted wrap-anywhere">
                  {t.invitedBy(invited_by)} · {t.until(formatDateTime(expires_at))}
                </p>
              </div>
              <div className="flex gap-2">
                <Button disabled={busy === id} onClick={() => void answer(id, false)}>
                  {t.decline}
                </Button>
                <Button look="primary" busy={busy === id} onClick={() => void answer(id, true)}>
                  {t.accept}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
