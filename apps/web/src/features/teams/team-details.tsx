import { NAME_MAX } from '@tidenet/contract/constants'
import { ArrowLeft, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { actFor, actingTeam } from '../../lib/team.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { OpenButton, type Team } from './open-button.tsx'
import { TeamActivity } from './team-activity.tsx'
import { InviteDialog } from './team-dialogs.tsx'
import { TeamMembers } from './team-members.tsx'
import { t } from './texts.ts'

type Task = 'invite' | 'rename' | 'leave' | 'delete'

/** Members, invitations and activity of one team. */
export function TeamDetails({ team, onBack }: { team: Team; onBack: () => void }) {
  const account = useSession(({ address }) => address)
  const [task, setTask] = useState<Task>()
  const close = () => setTask(undefined)
  const { team: uid, name, role } = team
  const isOwner = role === 'owner'
  /** The team is no longer one of the account's. */
  const ended = (message: string) => {
    toast.success(message)
    if (actingTeam()?.team === uid) return actFor(undefined)
    refresh('teams.list')
    onBack()
  }
  return (
    <div className="mx-auto max-w-4xl">
      <Button look="ghost" className="-ml-3" icon={<ArrowLeft aria-hidden className="size-4" />} onClick={onBack}>
        {t.back}
      </Button>
      <PageTitle
        title={name}
        intro={t.abilities[role]}
        actions={
          <>
            {isOwner && <Button onClick={() => setTask('rename')}>{t.rename}</Button>}
            <OpenButton team={team} />
          </>
        }
      />
      <Section
        title={t.membersTitle}
        action={
          isOwner && (
            <Button icon={<UserPlus aria-hidden className="size-4" />} onClick={() => setTask('invite')}>
              {t.invite}
            </Button>
          )
        }
      >
        <TeamMembers team={uid} isOwner={isOwner} />
      </Section>
      <Section title={t.activity}>
        <TeamActivity team={uid} />
      </Section>
      <Card className="flex flex-wrap items-center justify-end gap-3 p-5">
        {isOwner && <p className="flex-1 basis-64 text-sm text-muted">{t.handOver}</p>}
        <Button look="quietDanger" onClick={() => setTask('leave')}>
          {t.leave}
        </Button>
        {isOwner && (
          <Button look="quietDanger" onClick={() => setTask('delete')}>
            {t.delete}
          </Button>
        )}
      </Card>
      {task === 'invite' && <InviteDialog team={uid} onClose={close} />}
      {task === 'rename' && (
        <NameDialog
          title={t.rename}
          label={t.name}
          hint={t.nameHint}
          max={NAME_MAX}
          action={t.rename}
          initial={name}
          onClose={close}
          onSubmit={async (next) => {
            await api('teams.rename', { team: uid, name: next })
            refresh('teams.list', 'teams.activity')
            toast.success(t.renamed)
          }}
        />
      )}
      {task === 'leave' && (
        <Confirm
          title={t.leaveTitle(name)}
          text={t.leaveText}
          action={t.leave}
          onClose={close}
          onConfirm={async () => {
            await api('teams.removeMember', { team: uid, uid: account })
            close()
            ended(t.left)
          }}
        />
      )}
      {task === 'delete' && (
        <Confirm
          title={t.deleteTitle(name)}
          text={t.deleteText}
          action={t.delete}
          onClose={close}
          onConfirm={async () => {
            await api('teams.remove', { team: uid })
            close()
            ended(t.deleted)
          }}
        />
      )}
    </div>
  )
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="mb-8">
      <div className="mb-2 flex min-h-10 items-center justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        {action}
      </div>
      <Card>{children}</Card>
    </section>
  )
}
