import { HEARTBEAT, HEARTBEATS_MISSED, VETTING_AUDITS, VETTING_PERIODS, VETTING_TIME } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import type { PlatformConfig } from '../../platform/config.ts'

/** Timeouts and intervals, in ms. */
export interface Times {
  /** Heartbeats are written in batches of this time; under load the server waits longer, so that it runs fewer statements. */
  heartbeatBatch: { usual: number; busy: number }
  /** The longest time that the answer to a heartbeat is held. */
  hold: number
  /** Time without heartbeat after which a failed audit does not count: the node may be offline. */
  silentAfter: number
  /** Time without heartbeat after which a node is offline. */
  offlineAfter: number
  /** Time offline after which its replicas are lost. */
  lostAfter: number
  /** Time offline after which its owner is notified. After a pause of the servers all nodes seem offline for a moment. */
  notifyAfter: number
  /** Intervals of the tasks. */
  place: number
  /** While contents keep coming, with pauses below `pause`, placement waits, at most `most`: many are placed, copied and audited together. */
  placeTogether: { pause: number; most: number }
  watch: number
  audit: number
  /** Interval of refreshing public figures, unless that takes long. */
  figures: number
  /** Mean of the random time between two audits of a node: of a trusted one, and of one that is new or abnormal. */
  auditEvery: number
  auditDoubtfulEvery: number
  /** Mean of the random time until the first audit of a copy. */
  auditFirst: number
  /** Time after which an open audit is late. */
  auditTimeout: number
  /** Failed audits of a node within this time count once: they are one outage. */
  outage: number
  /** A suspect copy is audited again after this time, or half of it. */
  auditAgain: number
  /** Passed audits of one content on one node within this time count once for vetting. */
  auditCountsEvery: number
  /** Time after which an audit counts half for draining. */
  auditHalfLife: number
  /** Counted audits, different periods with passed audits, and time, after which an edge is vetted. */
  vettingAudits: number
  vettingPeriods: number
  vettingTime: number
  /** Time offline after which an edge is vetted anew. */
  vettingEndsAfter: number
  /** Time abnormal after which a node drains. */
  drainAfter: number
  /** Intervals of reachability checks, after a success and after a failure. */
  probeReachable: number
  probeUnreachable: number
  /** Because of edges that come, and come again, a content is placed anew at most this often. */
  placedAnewEvery: number
}

const usual: Times = {
  heartbeatBatch: { usual: 100, busy: 1000 },
  hold: 30_000,
  silentAfter: 45_000,
  offlineAfter: HEARTBEAT * HEARTBEATS_MISSED,
  lostAfter: 120_000,
  notifyAfter: 60_000,
  place: 1000,
  placeTogether: { pause: 300, most: 10_000 },
  watch: 5000,
  audit: 5000,
  figures: 5000,
  auditEvery: 300_000,
  auditDoubtfulEvery: 40_000,
  auditFirst: 20_000,
  auditTimeout: 90_000,
  outage: 180_000,
  auditCountsEvery: 3600_000,
  auditHalfLife: 6 * 3600_000,
  vettingAudits: VETTING_AUDITS,
  vettingPeriods: VETTING_PERIODS,
  vettingTime: VETTING_TIME,
  vettingEndsAfter: DAY,
  drainAfter: 3600_000,
  auditAgain: 10_000,
  probeReachable: 180_000,
  probeUnreachable: 30_000,
  placedAnewEvery: 600_000,
}

/** For tests and for trying out a network. */
const quick: Times = {
  ...usual,
  heartbeatBatch: { usual: 0, busy: 0 },
  hold: 2000,
  silentAfter: 5000,
  offlineAfter: 12_000,
  lostAfter: 10_000,
  notifyAfter: 2000,
  place: 200,
  placeTogether: { pause: 0, most: 0 },
  watch: 500,
  audit: 1000,
  figures: 500,
  auditEvery: 2000,
  auditDoubtfulEvery: 1000,
  auditFirst: 0,
  outage: 3000,
  auditCountsEvery: 2000,
  auditHalfLife: 10_000,
  vettingAudits: 5,
  vettingPeriods: 1,
  vettingTime: 10_000,
  drainAfter: 60_000,
  auditAgain: 1000,
  probeReachable: 10_000,
  probeUnreachable: 2000,
  placedAnewEvery: 0,
}

export const timesOf = ({ pace }: Pick<PlatformConfig, 'pace'>): Times => (pace === 'quick' ? quick : usual)

/** Lease of a pull or removal; the node renews it while a pull makes progress. */
export const LEASE = 60_000

/** Interval of a task at either pace. */
export const everyOf = (task: 'place' | 'watch' | 'audit' | 'figures') => ({ usual: usual[task], quick: quick[task] })
