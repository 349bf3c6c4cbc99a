import type { Device, Place } from '@tidenet/contract'
import { formatDateTime } from '../../lib/format.ts'
import { t } from './texts.ts'

const MINUTE = 60_000

export function deviceName({ program, system }: Device): string {
  if (program && system) return t.device.on(program, system)
  return program || system || t.device.unknown
}

/** Whether the place is shown as a bare client network, which is set in a monospaced font. */
export const isPublicNetwork = ({ kind }: Place): boolean => kind === 'public'

export function placeName({ kind, network }: Place): string {
  if (kind === 'machine') return t.place.machine
  if (kind === 'local') return t.place.local(network)
  return kind === 'public' ? network : t.place.unknown
}

/** A date and time, or "just now" within two minutes. */
export const formatMoment = (time: string): string =>
  Math.abs(Date.now() - Date.parse(time)) < 2 * MINUTE ? t.justNow : formatDateTime(time)
