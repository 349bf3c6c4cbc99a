import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { Facts } from './list.tsx'
import { t } from './texts.ts'
import { UserBadges } from './user-badges.tsx'
import { type UserChange, UserChangeDialog } from './user-changes.tsx'

/** An account with its limits and usage, and the changes that operators can make. */
export function UserDetails({ uid }: { uid: string }) {
  const state = useQuery(query('admin.user', { uid }))
  const self = useSession((session) => session.address === uid)
  const [change, setChange] = useState<UserChange>()
  if (state.isPending) return <Loading />
  if (state.isError) return <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
  const user = state.data
  const u = t.users
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="flex flex-wrap items-center gap-2 text-lg font-semibold wrap-anywhere">
          {user.email ? <span translate="no">{user.email}</span> : u.noEmail}
          <UserBadges user={user} />
        </p>
        <div className="mt-2">
          <CopyField text={user.uid} label={shell.words.copy} />
        </div>
      </div>
      {user.locked_at && (
        <Notice tone="warn">
          {u.lockedSince(formatDateTime(user.locked_at))}
          <br />
          {user.lock_reason}
        </Notice>
      )}
      <Facts
        facts={[
          [u.role, u.roles[user.role]],
          [u.stored, u.ofLimit(formatSize(user.used), formatSize(user.storage))],
          [u.reserved, formatSize(user.reserved)],
          [u.sent, u.ofLimit(formatSize(user.sent_this_month), formatSize(user.outflow))],
          [u.files, formatNumber(user.files)],
          [u.folders, formatNumber(user.folders)],
          [u.shares, formatNumber(user.shares)],
          [u.keys, formatNumber(user.keys)],
          [u.sessions, formatNumber(user.sessions)],
          [u.points, u.pointsLeft(user.points.not_withdrawn, user.points.accumulated)],
          [u.lastSeen, user.last_seen ? formatDateTime(user.last_seen) : t.never],
          [u.opened, formatDateTime(user.created_at)],
        ]}
      />
      <section>
        <h3 className="mb-2 text-sm font-medium">{u.changes}</h3>
        {self ? (
          <Notice>{u.own}</Notice>
        ) : (
          <div className="flex flex-wrap gap-2">
            {user.role !== 'test' && user.role !== 'enterprise' && (
              <Button onClick={() => setChange('vip')}>{user.vip ? u.endVip : u.makeVip}</Button>
            )}
            <Button onClick={() => setChange('role')}>{u.changeRole}</Button>
            <Button onClick={() => setChange('limits')}>{u.changeLimits}</Button>
            <Button onClick={() => setChange('points')}>{u.grantPoints}</Button>
            <Button disabled={user.sessions === 0} onClick={() => setChange('sessions')}>
              {u.endSessions}
            </Button>
            <Button look={user.locked_at ? 'secondary' : 'quietDanger'} onClick={() => setChange('lock')}>
              {user.locked_at ? u.unlock : u.lock}
            </Button>
          </div>
        )}
      </section>
      <section>
        <h3 className="mb-2 text-sm font-medium">{t.trail}</h3>
        <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <AuditLogLink search={{ subject: `user:${uid}` }}>{u.aboutIt}</AuditLogLink>
          <AuditLogLink search={{ actor: uid }}>{u.whatItDid}</AuditLogLink>
        </p>
      </section>
      {change && <UserChangeDialog change={change} user={user} onClose={() => setChange(undefined)} />}
    </div>
  )
}

/** A link to the audit log with a filter. */
export function AuditLogLink({ search, children }: { search: Record<string, string>; children: ReactNode }) {
  return (
    <Link
      to="/admin"
      search={{ view: 'audit', ...search } as never}
      className="inline-flex min-h-7 items-center text-accent underline"
    >
      {children}
    </Link>
  )
}
