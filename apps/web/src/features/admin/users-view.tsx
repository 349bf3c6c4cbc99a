import type { AdminUser } from '@tidenet/contract'
import { ROLES } from '@tidenet/contract/roles'
import { formatDate, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Panel } from '../../ui/dialog.tsx'
import { type Column, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { booleanOf, choiceOf, useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'
import { UserBadges } from './user-badges.tsx'
import { UserDetails } from './user-details.tsx'

const columns = (): Column<AdminUser>[] => [
  {
    title: t.users.account,
    cell: (user) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          {user.email ? <span translate="no">{user.email}</span> : t.users.noEmail}
          <UserBadges user={user} />
        </span>
        <span className="block font-mono text-xs text-muted wrap-anywhere">{user.uid}</span>
        <span className="block text-xs text-muted tabular-nums md:hidden">
          {t.users.ofLimit(formatSize(user.used), formatSize(user.storage))}
        </span>
      </>
    ),
  },
  { title: t.users.role, className: 'max-sm:hidden', cell: (user) => t.users.roles[user.role] },
  {
    title: t.users.stored,
    className: 'tabular-nums max-md:hidden',
    cell: (user) => t.users.ofLimit(formatSize(user.used), formatSize(user.storage)),
  },
  {
    title: t.users.opened,
    className: 'tabular-nums whitespace-nowrap max-lg:hidden',
    cell: (user) => formatDate(user.created_at),
  },
]

/** Accounts, newest first. */
export function UsersView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const role = choiceOf(search.role, ROLES)
  const vip = booleanOf(search.vip)
  const locked = booleanOf(search.locked)
  const state = useQuery({
    ...query('admin.users', {
      ...(search.q && { q: search.q }),
      ...(role && { role }),
      ...(vip !== undefined && { vip }),
      ...(locked !== undefined && { locked }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const yesNo = [
    ['true', t.yes],
    ['false', t.no],
  ] as const
  return (
    <>
      <Filters names={['q', 'role', 'vip', 'locked']}>
        <TextFilter name="q" label={t.users.search} />
        <SelectFilter
          name="role"
          label={t.users.role}
          options={ROLES.map((each) => [each, t.users.roles[each]] as const)}
        />
        <SelectFilter name="vip" label={t.users.vip} options={yesNo} none={t.any} />
        <SelectFilter
          name="locked"
          label={t.users.state}
          options={[
            ['true', t.users.lockedOnly],
            ['false', t.users.openOnly],
          ]}
          none={t.any}
        />
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={(user) => user.uid}
        nameOf={(user) => user.email || user.uid}
        onOpen={(user) => set({ open: user.uid })}
      />
      {search.open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={t.users.account}>
          <UserDetails uid={search.open} />
        </Panel>
      )}
    </>
  )
}
