import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_RESULTS, AUDIT_VIA } from '../audit-actions.ts'
import { bool, nothing, plain } from '../fields.ts'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { adminBlocks } from './admin-blocks.ts'
import { adminExchanges } from './admin-exchange.ts'
import { after, next, q, reason, size } from './admin-fields.ts'
import { adminHealth, adminProblem } from './admin-health.ts'
import { adminInbox } from './admin-inbox.ts'
import { adminNodes } from './admin-nodes.ts'
import { POINTS_MAX, points } from './rewards.ts'
import { adminThirdParties } from './third-party.ts'

/** The largest quota that operators can set: 1 PiB. */
export const QUOTA_MAX = 2 ** 50

const uid = z.string().min(1).max(80)
const time = z.iso.datetime({ offset: true }).optional()
/** Bytes; null: the quota of the plan. */
const quota = z.number().int().min(0).max(QUOTA_MAX).nullable()

export const adminUser = z.object({
  uid: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  vip: z.boolean(),
  locked_at: z.string().nullable(),
  lock_reason: z.string(),
  created_at: z.string(),
  /** Bytes stored, and the quota. */
  used: z.number(),
  storage: z.number(),
  files: z.number(),
})
export type AdminUser = z.infer<typeof adminUser>

export const auditRow = z.object({
  id: z.number(),
  at: z.string(),
  /** The account's uid; empty: the system. */
  actor: z.string(),
  via: z.enum(AUDIT_VIA),
  /** The id of the session or API key. */
  credential: z.string(),
  ip: z.string(),
  action: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
  result: z.enum(AUDIT_RESULTS),
})
export type AuditRow = z.infer<typeof auditRow>

const auditFilter = z.object({
  action: z.enum(AUDIT_ACTIONS).optional(),
  /** A complete uid; `system` for changes made by the system. */
  actor: plain(80).optional(),
  /** A complete subject, such as `user:u…`. */
  subject: plain(300).optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  /** `from` is inclusive, `to` exclusive. */
  from: time,
  to: time,
})

export const admin = {
  overview: route({
    method: 'GET',
    path: '/api/v1/admin/overview',
    auth: 'operator',
    input: nothing,
    output: z.object({
      users: z.object({
        total: z.number(),
        new_7d: z.number(),
        vip: z.number(),
        test: z.number(),
        enterprise: z.number(),
        operators: z.number(),
        locked: z.number(),
      }),
      nodes: z.object({
        total: z.number(),
        online: z.number(),
        offline: z.number(),
        abnormal: z.number(),
        out: z.number(),
      }),
      /** `short`: contents with too few replicas; `nowhere`: without any. */
      contents: z.object({ total: z.number(), bytes: z.number(), short: z.number(), nowhere: z.number() }),
      leads: z.object({ open: z.number(), new_7d: z.number() }),
      mails: z.object({ waiting: z.number(), failing: z.number(), refused_7d: z.number() }),
      jobs: z.array(
        z.object({
          name: z.string(),
          waiting: z.number(),
          /** Failed and will be retried. */
          failing: z.number(),
          /** Failed permanently. */
          dead: z.number(),
          oldest: z.string().nullable(),
          last_error: z.string(),
        }),
      ),
      /**
       * Receipts that are not in the log yet. `behind`: the log is not what this server published, because an older backup of the database
       * was restored; nothing is signed.
       */
      log: z.object({ waiting: z.number(), oldest: z.string().nullable(), behind: z.boolean() }),
      audit_24h: z.number(),
      /** What operators should look at, the most urgent first. */
      problems: z.array(adminProblem),
      database: z.object({ version: z.string(), bytes: z.number() }),
      measured_at: z.string(),
    }),
    errors: ['operatorSecondFactor'],
    summary: 'Returns the system overview: counts, pending work and health',
  }),
  users: route({
    method: 'GET',
    path: '/api/v1/admin/users',
    auth: 'operator',
    input: z.object({
      /** Part of an e-mail address, or the start of a uid. */
      q,
      role: z.enum(ROLES).optional(),
      vip: bool.optional(),
      locked: bool.optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminUser), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists accounts, newest first',
  }),
  user: route({
    method: 'GET',
    path: '/api/v1/admin/user',
    auth: 'operator',
    input: z.object({ uid }),
    output: adminUser.extend({
      /** Quotas of this account in bytes; null: those of the plan. */
      storage_quota: z.number().nullable(),
      outflow_quota: z.number().nullable(),
      outflow: z.number(),
      sent_this_month: z.number(),
      reserved: z.number(),
      folders: z.number(),
      sessions: z.number(),
      keys: z.number(),
      shares: z.number(),
      last_seen: z.string().nullable(),
      points,
    }),
    errors: ['operatorSecondFactor', 'userNotFound'],
    summary: 'Returns an account with its quotas, usage and sign-in methods',
  }),
  setRole: route({
    method: 'POST',
    path: '/api/v1/admin/user/role',
    auth: 'operator',
    input: z.object({ uid, role: z.enum(ROLES), reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Sets the role of an account and the plan that belongs to the role',
  }),
  setVip: route({
    method: 'POST',
    path: '/api/v1/admin/user/vip',
    auth: 'operator',
    input: z.object({ uid, vip: z.boolean(), reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'planOfRole', 'reasonMissing', 'textTooLong'],
    summary: 'Sets whether an account is a VIP',
  }),
  setQuotas: route({
    method: 'POST',
    path: '/api/v1/admin/user/quotas',
    auth: 'operator',
    input: z.object({ uid, storage: quota, outflow: quota, reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'testQuota', 'reasonMissing', 'textTooLong'],
    summary: 'Sets the quotas of an account, or resets them to those of its plan',
  }),
  lock: route({
    method: 'POST',
    path: '/api/v1/admin/user/lock',
    auth: 'operator',
    input: z.object({ uid, reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Locks an account: its sessions end, and its API keys and sign-ins are rejected',
  }),
  unlock: route({
    method: 'POST',
    path: '/api/v1/admin/user/unlock',
    auth: 'operator',
    input: z.object({ uid, reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Unlocks an account',
  }),
  grantPoints: route({
    method: 'POST',
    path: '/api/v1/admin/user/points',
    auth: 'operator',
    /** The account's owner can see `reason`. */
    input: z.object({ uid, points: z.number().int().min(1).max(POINTS_MAX), reason }),
    output: points,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Grants points to an account',
  }),
  endSessions: route({
    method: 'POST',
    path: '/api/v1/admin/user/sessions/end',
    auth: 'operator',
    input: z.object({ uid, reason }),
    output: z.object({ ended: z.number() }),
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Ends all sessions of an account',
  }),
  ...adminHealth,
  ...adminNodes,
  ...adminThirdParties,
  ...adminInbox,
  ...adminExchanges,
  ...adminBlocks,
  audit: route({
    method: 'GET',
    path: '/api/v1/admin/audit',
    auth: 'operator',
    input: auditFilter.extend({ after, size }),
    output: z.object({ list: z.array(auditRow), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists the audit log, newest first',
  }),
  auditCsv: route({
    method: 'GET',
    path: '/api/v1/admin/audit.csv',
    auth: 'operator',
    shape: 'raw',
    media: 'text/csv',
    input: auditFilter,
    output: z.string(),
    errors: ['operatorSecondFactor'],
    limit: 20,
    summary: 'Streams the complete audit log as CSV; cells that a spreadsheet would run as formulas are escaped',
  }),
}
