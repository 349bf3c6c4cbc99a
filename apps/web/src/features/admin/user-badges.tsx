import type { AdminUser } from '@tidenet/contract'
import { Badge } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Badges of an account: VIP, role and lock. */
export function UserBadges({ user }: { user: AdminUser }) {
  return (
    <>
      {user.vip && <Badge tone="accent">{t.users.vip}</Badge>}
      {user.role !== 'user' && (
        <span className="sm:hidden">
          <Badge>{t.users.roles[user.role]}</Badge>
        </span>
      )}
      {user.locked_at && <Badge tone="warn">{t.users.locked}</Badge>}
    </>
  )
}
