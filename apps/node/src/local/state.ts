import type { NodeStats } from '@tidenet/contract'
import { type LeavingState, readLeaving } from '../leaving/leaving.ts'
import { type Limits, readLimits } from '../limits/limits.ts'
import { readUpdateState, type UpdateState } from '../updates/update-state.ts'

/** What the page of a device shows. Sizes in bytes, rates in bytes per second. */
export interface DeviceState {
  id: string
  version: string
  portal: string
  /** Whether the portal accepted the node. */
  registered: boolean
  /** How clients reach it; null: not known here. */
  reach: 'direct' | 'relay' | 'none' | null
  /** Why it serves nobody now. */
  away: 'paused' | 'monthly' | 'updating' | null
  stats: NodeStats
  /** Most bytes of content that the start allows. */
  capacity: number
  /** Bytes sent in this month. */
  sent: number
  limits: Limits
  leaving: LeavingState | null
  /** Whether the program can update itself, and what did not work. */
  updates: { can: boolean; failed: UpdateState['failed'] | null }
  /** In millionths of a point; null: the portal did not answer. */
  earnings: { owned: boolean; today: number; month: number; total: number } | null
}

/** The part of the state that the node knows; the rest is in its data folder. */
export type LiveState = Omit<DeviceState, 'limits' | 'leaving' | 'updates'> & { canUpdate: boolean }

export async function readState(data: string, live: () => Promise<LiveState>): Promise<DeviceState> {
  const { canUpdate, ...rest } = await live()
  const [limits, leaving, updates] = await Promise.all([readLimits(data), readLeaving(data), readUpdateState(data)])
  return {
    ...rest,
    limits,
    leaving: limits.leaving ? (leaving ?? null) : null,
    updates: { can: canUpdate, failed: updates.failed ?? null },
  }
}
