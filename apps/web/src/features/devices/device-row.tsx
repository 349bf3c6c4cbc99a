import { useNavigate } from '@tanstack/react-router'
import type { NodeCertificate, OwnedDevice } from '@tidenet/contract'
import { Copy, EllipsisVertical, Info, ReceiptText, Unlink } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { countryOf } from '../../lib/areas.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { queries } from '../../lib/queries.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { copyText } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { NodeMark } from '../../ui/node-mark.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { Bar } from '../network/bars.tsx'
import { DeviceName } from './device-name.tsx'
import { t as e } from './earnings-texts.ts'
import { deviceName, formatAgo, formatVetting, isOlder, tones } from './format.ts'
import { t } from './texts.ts'

const l = t.list

/** A device with its state, storage and actions. */
export function DeviceRow({
  device,
  newest,
  mails,
  onUnlink,
}: {
  device: OwnedDevice
  /** The version of the node that the portal offers. */
  newest: string | undefined
  /** Whether the account has an e-mail address. */
  mails: boolean
  onUnlink: () => void
}) {
  const { node_id, type, area_id, status, version, updates, used, capacity } = device
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3 border-b border-line p-4 last:border-b-0 sm:px-5 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1.15fr)_11rem_7.5rem_auto]">
      <div className="flex min-w-0 items-start gap-3">
        <NodeMark kind={type as 1 | 2 | 3} status={status} className="mt-0.75 size-5" />
        <div className="min-w-0">
          <DeviceName device={device} />
          <p className="text-sm text-muted">
            {l.kinds[type - 1]} · {countryOf(area_id)}
            {device.declared_area && l.declared(countryOf(device.declared_area))}
          </p>
        </div>
      </div>
      <div className="self-start justify-self-end lg:order-last lg:self-center">
        <DeviceMenu id={node_id} name={deviceName(device)} onUnlink={onUnlink} />
      </div>
      <div className="col-span-2 text-sm max-lg:pl-8 lg:col-span-1">
        <p>
          <span className={classes('font-medium', tones[status])}>{l.states[status]}</span>
          <span className="text-muted"> · {formatSince(device)}</span>
        </p>
        <p className="text-muted">
          {status !== 'offline' && `${device.reachable ? l.reachable : l.unreachable} · `}
          {l.version(version)}
          {newest && isOlder(version, newest) && <Outdated newest={newest} updates={updates} />}
        </p>
        {device.vetting && status !== 'offline' && <p className="text-muted">{formatVetting(device.vetting)}</p>}
        {updates?.problem && (
          <p className="text-warn">{l.notUpdated(updates.version, l.updateProblems[updates.problem])}</p>
        )}
        {device.leaving && (
          <p className="text-muted">{formatLeaving(device.leaving.remaining, status === 'offline')}</p>
        )}
        {device.draining && <p className="text-warn">{l.draining}</p>}
        {device.cloned_at && <p className="text-warn">{l.cloned}</p>}
        {device.passed_on && (
          <p className="text-muted">
            {l.passedOn(formatSize(device.passed_on.signed), formatSize(device.passed_on.paid))}
          </p>
        )}
        {device.certificate && <Certificate {...device.certificate} />}
      </div>
      <div className="col-span-2 text-sm max-lg:pl-8 lg:col-span-1">
        <p className="mb-1 flex justify-between gap-3 whitespace-nowrap tabular-nums">
          <span className="text-muted lg:sr-only">{l.roomLabel}</span>
          <span className="font-mono">{l.storage(formatSize(used), formatSize(capacity))}</span>
        </p>
        <Bar share={capacity > 0 ? used / capacity : 0} />
      </div>
      <div className="col-span-2 max-lg:pl-8 empty:hidden lg:col-span-1">{mails && <MailSwitch device={device} />}</div>
    </li>
  )
}

const formatLeaving = (remaining: number, isOff: boolean) =>
  remaining > 0 ? l.leaving(remaining) : isOff ? l.leftOff : l.left

function Outdated({ newest, updates }: { newest: string; updates: OwnedDevice['updates'] }) {
  const comes = updates?.on && !updates.problem
  return comes ? ` (${l.updatesItself})` : <span className="text-warn"> ({e.outdated(newest)})</span>
}

/** What is wrong with its certificate; nothing if it is valid. */
function Certificate({ problem, detail }: NodeCertificate) {
  if (problem === '') return null
  return <p className={problem === 'queued' ? 'text-muted' : 'text-warn'}>{l.certificate[problem](detail)}</p>
}

/** When the state of the device last changed, or its last heartbeat. */
function formatSince({ status, seen_at, offline_at }: OwnedDevice): string {
  if (status === 'offline' && offline_at) return l.offlineSince(formatDateTime(offline_at), formatAgo(offline_at))
  return seen_at ? l.heard(formatAgo(seen_at)) : l.never
}

function DeviceMenu({ id, name, onUnlink }: { id: string; name: string; onUnlink: () => void }) {
  const navigate = useNavigate()
  return (
    <Menu
      label={l.actions(name)}
      triggerClass={iconButtonClass('-mr-2')}
      trigger={<EllipsisVertical aria-hidden className="size-5" />}
    >
      <MenuItem
        icon={<Info aria-hidden className="size-4" />}
        onSelect={() => void navigate({ to: '/storagenetwork', search: { node: id } })}
      >
        {l.details}
      </MenuItem>
      <MenuItem
        icon={<ReceiptText aria-hidden className="size-4" />}
        onSelect={() => void navigate({ to: '/devices', search: { statement: id }, resetScroll: false })}
      >
        {e.statement}
      </MenuItem>
      <MenuItem icon={<Copy aria-hidden className="size-4" />} onSelect={() => void copyText(id)}>
        {l.copyId}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Unlink aria-hidden className="size-4" />} onSelect={onUnlink}>
        {l.unlink}
      </MenuItem>
    </Menu>
  )
}

/** Updates optimistically; reverts if the server refuses. */
function MailSwitch({ device: { node_id, name, mail } }: { device: OwnedDevice }) {
  const [pending, setPending] = useState<boolean>()
  const change = async (next: boolean) => {
    setPending(next)
    // A list that is loading now would contain the old value.
    await queries.cancelQueries({ queryKey: ['devices.list'] })
    try {
      const changed = await api('devices.mail', { node_id, mail: next })
      queries.setQueriesData<{ list: OwnedDevice[] }>(
        { queryKey: ['devices.list'] },
        (known) => known && { ...known, list: known.list.map((each) => (each.node_id === node_id ? changed : each)) },
      )
    } catch (error) {
      toast.error(error)
    }
    setPending(undefined)
  }
  return (
    <div className="flex items-center justify-between gap-2.5 text-sm lg:justify-start">
      <span aria-hidden className="whitespace-nowrap text-muted lg:order-last">
        <span className="lg:hidden">{l.mailLong}</span>
        <span className="max-lg:hidden">{l.mail}</span>
      </span>
      <Switch
        label={l.mailOf(deviceName({ node_id, name }))}
        checked={pending ?? mail}
        busy={pending !== undefined}
        onChange={(next) => void change(next)}
      />
    </div>
  )
}
