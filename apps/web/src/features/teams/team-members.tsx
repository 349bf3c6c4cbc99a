import type { Output, RouteOf } from '@tidenet/contract'
import { TEAM_ROLES, type TeamRole } from '@tidenet/contract/roles'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Select } from '../../ui/select.tsx'
import { Badge, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

type Members = Output<RouteOf<'teams.members'>>
type Member = Members['list'][number]

const nameOf = ({ email, uid }: Member): string => email || shorten(uid)

/** The members of a team; owners change roles, remove members and withdraw invitations. */
export function TeamMembers({ team, isOwner }: { team: string; isOwner: boolean }) {
  const members = useQuery(query('teams.members', { team }))
  const [removing, setRemoving] = useState<Member>()
  const change = async (work: Promise<unknown>, done: string, undo?: { title: string; act: () => void }) => {
    try {
      await work
      toast.success(done, undo)
    } catch (error) {
      toast.error(error)
    }
    refresh('teams.members', 'teams.list', 'teams.activity')
  }
  if (members.isPending) return <Loading />
  if (members.isError)
    return <LoadFailed title={t.membersFailed} error={members.error} onRetry={() => void members.refetch()} />
  return (
    <>
      <ul>
        {members.data.list.map((member) => (
          <li
            key={member.uid}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0"
          >
            <p className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-2 wrap-anywhere">
              <span translate="no">{nameOf(member)}</span>
              {member.you && <Badge>{t.you}</Badge>}
            </p>
            {isOwner ? (
              <Select
                label={t.roleOf(nameOf(member))}
                value={member.role}
                options={TEAM_ROLES.map((value: TeamRole) => ({ value, label: t.roles[value] }))}
                onChange={(role) => void change(api('teams.setRole', { team, uid: member.uid, role }), t.roleChanged)}
              />
            ) : (
              <span className="text-sm text-muted">{t.roles[member.role]}</span>
            )}
            {isOwner && !member.you && (
              <Button look="quietDanger" aria-label={t.removeOf(nameOf(member))} onClick={() => setRemoving(member)}>
                {t.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {members.data.invitations.length > 0 && (
        <section aria-label={t.openInvitations} className="border-t border-line px-5 py-4">
          <h3 className="text-sm font-medium">{t.openInvitations}</h3>
          <ul>
            {members.data.invitations.map(({ id, email, role, expires_at }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-sm">
                <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
                  <span translate="no">{email}</span>{' '}
                  <span className="text-muted">
                    {t.roles[role]} · {t.until(formatDateTime(expires_at))}
                  </span>
                </p>
                <Button
                  look="ghost"
                  aria-label={t.withdrawOf(email)}
                  onClick={() =>
                    void change(api('teams.cancelInvitation', { team, id }), t.withdrawn, {
                      title: t.inviteAgain,
                      act: () =>
                        void change(
                          api('teams.invite', { team, email, role: role === 'viewer' ? role : 'editor' }),
                          t.invitedAgain,
                        ),
                    })
                  }
                >
                  {t.withdraw}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {removing && (
        <Confirm
          title={t.removeTitle(nameOf(removing))}
          text={t.removeText}
          action={t.remove}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await api('teams.removeMember', { team, uid: removing.uid })
            refresh('teams.members', 'teams.list', 'teams.activity')
            setRemoving(undefined)
            toast.success(t.removed)
          }}
        />
      )}
    </>
  )
}
