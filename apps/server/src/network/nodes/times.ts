import { HEARTBEAT, HEARTBEATS_MISSED } from '@tidenet/contract'
import type { PlatformConfig } from '../../platform/config.ts'

/** How long things take at most, and how often they are looked at; all in ms. */
export interface Times {
  /** The longest that a heartbeat is held. */
  hold: number
  /** Silence after which an audit says nothing about a node: it may be gone. */
  silentAfter: number
  /** Silence after which a node is offline, and then after which its replicas are lost. */
  offlineAfter: number
  lostAfter: number
  /** How long a node is offline before its owner is told: after a pause of the servers all of them seem so for a moment. */
  notifyAfter: number
  /** How often the duties run. */
  place: number
  watch: number
  audit: number
  /** How often the figures that everybody may ask for are counted, unless that takes long. */
  figures: number
  /** How often a node is audited, and until when an audit must be answered. */
  auditEach: number
  auditAnswer: number
  /** Failed audits of a node within this are one outage: they count once. */
  outage: number
  /** How soon what failed, and a node in doubt, are audited again. */
  auditAgain: number
  /** How often nodes that were found reachable, or not, are tried again. */
  probeReachable: number
  probeUnreachable: number
}

const usual: Times = {
  hold: 30_000,
  silentAfter: 45_000,
  offlineAfter: HEARTBEAT * HEARTBEATS_MISSED,
  lostAfter: 120_000,
  notifyAfter: 60_000,
  place: 1000,
  watch: 5000,
  audit: 30_000,
  figures: 5000,
  auditEach: 60_000,
  auditAnswer: 60_000,
  outage: 60_000,
  auditAgain: 10_000,
  probeReachable: 180_000,
  probeUnreachable: 30_000,
}

/** So that nobody who tries a network out waits for minutes. */
const quick: Times = {
  ...usual,
  hold: 2000,
  silentAfter: 5000,
  offlineAfter: 12_000,
  lostAfter: 10_000,
  notifyAfter: 2000,
  place: 200,
  watch: 500,
  audit: 2000,
  figures: 500,
  auditEach: 4000,
  outage: 3000,
  auditAgain: 1000,
  probeReachable: 10_000,
  probeUnreachable: 2000,
}

export const timesOf = ({ pace }: Pick<PlatformConfig, 'pace'>): Times => (pace === 'quick' ? quick : usual)

/** A pull that the node does not renew for this long is given up; so is a removal that it does not report. */
export const LEASE = 60_000

/** How often a task runs, at either pace. */
export const everyOf = (task: 'place' | 'watch' | 'audit' | 'figures') => ({ usual: usual[task], quick: quick[task] })
