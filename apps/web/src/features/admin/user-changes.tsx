import { VIP_DOWNLOAD_TRAFFIC, VIP_STORAGE } from '@tidenet/contract/constants'
import { earningsMaxOf } from '@tidenet/contract/price'
import { ROLES, type Role } from '@tidenet/contract/roles'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { t } from './texts.ts'
import type { User } from './types.ts'

export type UserChange = 'vip' | 'role' | 'limits' | 'sessions' | 'lock' | 'points'

interface ChangeProps {
  user: User
  onClose: () => void
}

const reload = () => refresh('admin.users', 'admin.user', 'admin.overview', 'admin.audit')

/** The dialog for one change to an account. */
export function UserChangeDialog({ change, user, onClose }: ChangeProps & { change: UserChange }) {
  const u = t.users
  const { uid } = user
  switch (change) {
    case 'vip':
      return (
        <ReasonDialog
          title={user.vip ? u.endVip : u.makeVip}
          text={
            user.vip
              ? u.endVipText
              : `${u.makeVipText} ${u.othersEarn(earnedBy(user.storage_quota, user.outflow_quota))}`
          }
          confirm={user.vip ? u.endVip : u.makeVip}
          onClose={onClose}
          act={async (reason) => {
            await api('admin.setVip', { uid, vip: !user.vip, reason })
            reload()
            return undefined
          }}
        />
      )
    case 'lock':
      return (
        <ReasonDialog
          title={user.locked_at ? u.unlock : u.lock}
          text={user.locked_at ? u.unlockText : u.lockText}
          confirm={user.locked_at ? u.unlock : u.lock}
          danger={!user.locked_at}
          onClose={onClose}
          act={async (reason) => {
            await api(user.locked_at ? 'admin.unlock' : 'admin.lock', { uid, reason })
            reload()
            return undefined
          }}
        />
      )
    case 'sessions':
      return (
        <ReasonDialog
          title={u.endSessions}
          text={u.endSessionsText}
          confirm={u.endSessions}
          danger
          onClose={onClose}
          act={async (reason) => {
            const { ended } = await api('admin.endSessions', { uid, reason })
            reload()
            return u.ended(ended)
          }}
        />
      )
    case 'role':
      return <RoleDialog user={user} onClose={onClose} />
    case 'limits':
      return <LimitsDialog user={user} onClose={onClose} />
    case 'points':
      return <PointsDialog user={user} onClose={onClose} />
  }
}

function RoleDialog({ user, onClose }: ChangeProps) {
  const [role, setRole] = useState<Role>(user.role)
  const u = t.users
  return (
    <ReasonDialog
      title={u.changeRole}
      text={user.email || user.uid}
      confirm={t.save}
      onClose={onClose}
      act={async (reason) => {
        await api('admin.setRole', { uid: user.uid, role, reason })
        reload()
        return undefined
      }}
    >
      {role === 'enterprise' && (
        <p className="text-sm text-muted">{u.othersEarn(earnedBy(user.storage_quota, user.outflow_quota))}</p>
      )}
      <RadioCards
        label={u.role}
        value={role}
        onChange={setRole}
        columns="grid-cols-1"
        options={ROLES.map((value) => ({ value, title: u.roles[value], hint: u.roleHints[value] }))}
      />
    </ReasonDialog>
  )
}

/** Points that node owners can earn in a month by a VIP plan with these limits; null: those of the plan. */
const earnedBy = (storage: number | null, traffic: number | null): number =>
  earningsMaxOf({ storage: storage ?? VIP_STORAGE, downloadTraffic: traffic ?? VIP_DOWNLOAD_TRAFFIC })

const GIB = 1024 ** 3
const toGib = (bytes: number | null): string => (bytes === null ? '' : String(Number((bytes / GIB).toFixed(3))))
/** Null: the limit of the plan; undefined: not a number. */
function bytesOf(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) && value >= 0 ? Math.round(value * GIB) : undefined
}

function LimitsDialog({ user, onClose }: ChangeProps) {
  const [storage, setStorage] = useState(toGib(user.storage_quota))
  const [traffic, setTraffic] = useState(toGib(user.outflow_quota))
  const u = t.users
  return (
    <ReasonDialog
      title={u.changeLimits}
      text={u.limitsText}
      confirm={t.save}
      onClose={onClose}
      validate={() => ([storage, traffic].some((text) => bytesOf(text) === undefined) ? u.notANumber : undefined)}
      act={async (reason) => {
        const limits = { storage: bytesOf(storage) ?? null, outflow: bytesOf(traffic) ?? null }
        await api('admin.setQuotas', { uid: user.uid, ...limits, reason })
        reload()
        return undefined
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={u.storageGib}>
          <TextInput inputMode="decimal" value={storage} onChange={(event) => setStorage(event.target.value)} />
        </Field>
        <Field label={u.outflowGib}>
          <TextInput inputMode="decimal" value={traffic} onChange={(event) => setTraffic(event.target.value)} />
        </Field>
      </div>
      {user.vip && (
        <p className="text-sm text-muted">
          {u.othersEarn(earnedBy(bytesOf(storage) ?? null, bytesOf(traffic) ?? null))}
        </p>
      )}
    </ReasonDialog>
  )
}

const POINTS_MAX = 1_000_000
/** Undefined if the text is not a valid number of points. */
function pointsOf(text: string): number | undefined {
  const points = /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : 0
  return points >= 1 && points <= POINTS_MAX ? points : undefined
}

function PointsDialog({ user, onClose }: ChangeProps) {
  const [text, setText] = useState('')
  const u = t.users
  return (
    <ReasonDialog
      title={u.grantPoints}
      text={u.grantPointsText}
      confirm={u.grantPoints}
      onClose={onClose}
      validate={() => (pointsOf(text) === undefined ? u.noPoints : undefined)}
      act={async (reason) => {
        const { accumulated } = await api('admin.grantPoints', { uid: user.uid, points: pointsOf(text) ?? 0, reason })
        reload()
        return u.granted(accumulated)
      }}
    >
      <Field label={u.points}>
        <TextInput inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </ReasonDialog>
  )
}
