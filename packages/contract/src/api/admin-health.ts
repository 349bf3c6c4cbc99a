import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'
import { after, next, size } from './admin-fields.ts'

/** Problems, trends and contents with missing copies, in the operator area. */

/** The most urgent first. */
export const ADMIN_PROBLEMS = [
  'logBehind',
  'logLate',
  'contentsNowhere',
  'jobsDead',
  'certificatesFailing',
  'nodesAbnormal',
  'nodesOffline',
  'contentsShort',
  'storageFull',
  'certificatesWaiting',
  'mailsFailing',
  'mailsRefused',
  'jobsFailing',
  'payoutsLate',
  'anchorsLate',
  'exchangesStuck',
  'clustersAway',
  'thirdPartiesAway',
  'speechAway',
  'reports',
  'objections',
  'chatsWaiting',
  'disputes',
  'supports',
  'leads',
] as const
export type AdminProblemKind = (typeof ADMIN_PROBLEMS)[number]

/** Something that operators should look at. `jobs…`: background jobs out of attempts, or being retried. */
export const adminProblem = z.object({
  kind: z.enum(ADMIN_PROBLEMS),
  /** How many; percent used for `storageFull`. */
  count: z.number(),
  /** Since when, of the oldest; null: not known. */
  since: z.string().nullable(),
  /** Names of jobs, clusters or providers; what the CA says about certificates of nodes; the address of the network's wallet for payouts and anchors. */
  about: z.string(),
})
export type AdminProblem = z.infer<typeof adminProblem>

/** Recorded once an hour. */
export const adminTrend = z.object({
  at: z.string(),
  users: z.number(),
  nodes: z.number(),
  nodes_online: z.number(),
  contents: z.number(),
  /** Contents with too few replicas. */
  short: z.number(),
  /** Bytes of contents, each once. */
  bytes: z.number(),
  /** Bytes that nodes transferred in the 24 hours before. */
  transferred: z.number(),
})
export type AdminTrend = z.infer<typeof adminTrend>

export const adminContent = z.object({
  cid: z.string(),
  kind: z.enum(['file', 'folder']),
  size: z.number(),
  /** Replicas that it has, and that it should have. */
  stored: z.number(),
  wanted: z.number(),
  created_at: z.string(),
})
export type AdminContent = z.infer<typeof adminContent>

export const adminHealth = {
  trends: route({
    method: 'GET',
    path: '/api/v1/admin/trends',
    auth: 'operator',
    input: nothing,
    output: z.object({ list: z.array(adminTrend) }),
    errors: ['operatorSecondFactor'],
    summary: 'Returns the figures of the last seven days by hour, oldest first',
  }),
  contents: route({
    method: 'GET',
    path: '/api/v1/admin/contents',
    auth: 'operator',
    input: z.object({
      /** `nowhere`: only contents without any replica. */
      state: z.enum(['short', 'nowhere']).default('short'),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminContent), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists contents with fewer replicas than they should have, by CID',
  }),
}
