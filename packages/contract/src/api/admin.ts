import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_RESULTS, AUDIT_VIA } from '../audit-actions.ts'
import { AREA_ID } from '../constants.ts'
import { bool, int, nothing, plain, refuse } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { AREA_SOURCES, NODE_STANDINGS, NODE_STATUSES } from '../objects.ts'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { LEAD_KINDS } from './leads.ts'
import { POINTS_MAX, points } from './rewards.ts'
import { trace } from './traces.ts'

export const ADMIN_PAGE = 50
export const ADMIN_NOTE_MAX = 1000
/** The largest quota that operators can set: 1 PiB. */
export const QUOTA_MAX = 2 ** 50

/** `next` of the previous page; opaque. */
const after = plain(400).optional()
const size = int(1, 200).default(ADMIN_PAGE)
const next = z.string().nullable()
const q = plain(254)
  .transform((text) => text.trim())
  .optional()
const uid = z.string().min(1).max(80)
const nodeId = z.string().min(1).max(80)
const time = z.iso.datetime({ offset: true }).optional()

/** Recorded in the audit log. */
const reason = z
  .string({ error: refuse('reasonMissing') })
  .trim()
  .min(1, refuse('reasonMissing'))
  .max(ADMIN_NOTE_MAX, refuse('textTooLong', { max: ADMIN_NOTE_MAX }))
const note = z
  .string()
  .trim()
  .max(ADMIN_NOTE_MAX, refuse('textTooLong', { max: ADMIN_NOTE_MAX }))
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

export const adminNode = z.object({
  node_id: z.string(),
  name: z.string(),
  kind: z.enum(['edge', 'candidate', 'validator']),
  area_id: z.string(),
  /** What the node says about its area, if that is not its area; otherwise null. */
  declared_area: z.string().nullable(),
  region_by: z.enum(AREA_SOURCES),
  /** The country of its address, by the database of addresses; null: unknown. */
  located_country: z.string().nullable(),
  url: z.string(),
  ip: z.string(),
  version: z.string(),
  status: z.enum(NODE_STATUSES),
  /** Whether the server can connect to it from outside. */
  reachable: z.boolean(),
  seen_at: z.string().nullable(),
  registered_at: z.string(),
  capacity: z.number(),
  used: z.number(),
  replicas: z.number(),
  /** Share of successful transfers, 0..1. */
  quality: z.number(),
  /** Bytes per second as clients and validators measured it; 0: nobody did. */
  rate: z.number(),
  standing: z.enum(NODE_STANDINGS),
  /** Since when its copies are moved to other nodes because it fails audits; null: they are not. */
  draining_since: z.string().nullable(),
  /** Its network (/24 or /48), which limits copies and downloads of edges. */
  network: z.string(),
  /** When operators took it out of service; null: in service. */
  out_since: z.string().nullable(),
  note: z.string(),
})
export type AdminNode = z.infer<typeof adminNode>

export const adminLead = z.object({
  id: z.number(),
  kind: z.enum(LEAD_KINDS),
  name: z.string(),
  email: z.string(),
  organisation: z.string(),
  text: z.string(),
  lang: z.string(),
  created_at: z.string(),
  handled_at: z.string().nullable(),
  handled_by: z.string(),
  note: z.string(),
})
export type AdminLead = z.infer<typeof adminLead>

/** A support case: a transfer that somebody sent to the operators. Its texts are the sender's: plain text only. */
export const adminSupport = z.object({
  id: z.number(),
  /** Of the sender; empty for visitors. */
  uid: z.string(),
  email: z.string(),
  lang: z.string(),
  text: z.string(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  closed_by: z.string(),
  note: z.string(),
  trace,
})
export type AdminSupport = z.input<typeof adminSupport>

export const MAIL_STATES = ['waiting', 'sent', 'refused'] as const
export type MailState = (typeof MAIL_STATES)[number]

export const adminMail = z.object({
  id: z.number(),
  recipient: z.string(),
  subject: z.string(),
  /** `waiting` with an error: the last attempt failed and will be repeated. */
  state: z.enum(MAIL_STATES),
  error: z.string(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  /** Whether its text is still stored, so that it can be sent again. */
  has_text: z.boolean(),
})
export type AdminMail = z.infer<typeof adminMail>

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
      audit_24h: z.number(),
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
  nodes: route({
    method: 'GET',
    path: '/api/v1/admin/nodes',
    auth: 'operator',
    input: z.object({
      /** Part of a name, id, area or address. */
      q,
      status: z.enum(NODE_STATUSES).optional(),
      kind: z.enum(['edge', 'candidate', 'validator']).optional(),
      out: bool.optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminNode), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists nodes by name, with details for operators',
  }),
  nodeOut: route({
    method: 'POST',
    path: '/api/v1/admin/node/out',
    auth: 'operator',
    input: z.object({ node_id: nodeId, reason }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Takes a node out of service: it receives no new content, and its content is copied to other nodes',
  }),
  nodeBack: route({
    method: 'POST',
    path: '/api/v1/admin/node/back',
    auth: 'operator',
    input: z.object({ node_id: nodeId, reason }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Returns a node to service',
  }),
  nodeNote: route({
    method: 'POST',
    path: '/api/v1/admin/node/note',
    auth: 'operator',
    input: z.object({ node_id: nodeId, note }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Sets the note on a node, visible to operators only',
  }),
  nodeRegion: route({
    method: 'POST',
    path: '/api/v1/admin/node/region',
    auth: 'operator',
    input: z.object({
      node_id: nodeId,
      /** An area id; null: the node's address determines its area again. */
      area_id: z.string().max(200).regex(AREA_ID, expects('areaId')).nullable(),
      reason,
    }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Assigns the area of a node, instead of the country of its address and what it declares',
  }),
  leads: route({
    method: 'GET',
    path: '/api/v1/admin/leads',
    auth: 'operator',
    input: z.object({ kind: z.enum(LEAD_KINDS).optional(), handled: bool.optional(), q, after, size }),
    output: z.object({ list: z.array(adminLead), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists contact requests, newest first',
  }),
  leadChange: route({
    method: 'POST',
    path: '/api/v1/admin/lead',
    auth: 'operator',
    /** Absent fields keep their value. */
    input: z.object({ id: int(1), handled: z.boolean().optional(), note: note.optional() }),
    output: adminLead,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Marks a contact request as handled or open, and sets its note',
  }),
  supports: route({
    method: 'GET',
    path: '/api/v1/admin/supports',
    auth: 'operator',
    input: z.object({ closed: bool.optional(), q, after, size }),
    output: z.object({ list: z.array(adminSupport), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists support cases, the transfers that users sent to the operators, newest first',
  }),
  supportChange: route({
    method: 'POST',
    path: '/api/v1/admin/support',
    auth: 'operator',
    /** Absent fields keep their value. */
    input: z.object({ id: int(1), closed: z.boolean().optional(), note: note.optional() }),
    output: adminSupport,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Closes or reopens a support case, and sets its note',
  }),
  mails: route({
    method: 'GET',
    path: '/api/v1/admin/mails',
    auth: 'operator',
    input: z.object({
      /** Part of the recipient's address. */
      q,
      state: z.enum(MAIL_STATES).optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminMail), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists e-mails of the last 30 days, newest first, without their text',
  }),
  mailResend: route({
    method: 'POST',
    path: '/api/v1/admin/mail/resend',
    auth: 'operator',
    input: z.object({ id: int(1) }),
    output: adminMail,
    errors: ['operatorSecondFactor', 'notFound', 'mailTextGone'],
    summary: 'Sends an e-mail again, if its text is still stored',
  }),
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
