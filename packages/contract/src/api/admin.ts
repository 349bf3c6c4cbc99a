import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_RESULTS, AUDIT_VIA } from '../audit-actions.ts'
import { bool, int, nothing, plain, refuse } from '../fields.ts'
import { NODE_STATUSES } from '../objects.ts'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { LEAD_KINDS } from './leads.ts'
import { POINTS_MAX, points } from './rewards.ts'

export const ADMIN_PAGE = 50
export const ADMIN_NOTE_MAX = 1000
/** Nobody is given more than this by hand: 1 PiB. */
export const QUOTA_MAX = 2 ** 50

/** What is behind `next` of the page before; the caller hands it back as it is. */
const after = plain(400).optional()
const size = int(1, 200).default(ADMIN_PAGE)
const next = z.string().nullable()
const q = plain(254)
  .transform((text) => text.trim())
  .optional()
const uid = z.string().min(1).max(80)
const nodeId = z.string().min(1).max(80)
const time = z.iso.datetime({ offset: true }).optional()

/** Why: whoever reads the audit log later has nothing else to go by. */
const reason = z
  .string({ error: refuse('reasonMissing') })
  .trim()
  .min(1, refuse('reasonMissing'))
  .max(ADMIN_NOTE_MAX, refuse('textTooLong', { max: ADMIN_NOTE_MAX }))
const note = z
  .string()
  .trim()
  .max(ADMIN_NOTE_MAX, refuse('textTooLong', { max: ADMIN_NOTE_MAX }))
/** Bytes; null: those of the plan. */
const quota = z.number().int().min(0).max(QUOTA_MAX).nullable()

export const adminUser = z.object({
  uid: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  vip: z.boolean(),
  locked_at: z.string().nullable(),
  lock_reason: z.string(),
  created_at: z.string(),
  /** Bytes stored, and what may be. */
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
  url: z.string(),
  ip: z.string(),
  version: z.string(),
  status: z.enum(NODE_STATUSES),
  /** The server reaches it from outside. */
  reachable: z.boolean(),
  seen_at: z.string().nullable(),
  registered_at: z.string(),
  capacity: z.number(),
  used: z.number(),
  replicas: z.number(),
  /** Share of good transfers, 0..1. */
  quality: z.number(),
  /** Since when the operators have it out of service; null: it serves. */
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

export const MAIL_STATES = ['waiting', 'sent', 'refused'] as const
export type MailState = (typeof MAIL_STATES)[number]

export const adminMail = z.object({
  id: z.number(),
  recipient: z.string(),
  subject: z.string(),
  /** `waiting` with an error: the last try failed, another one follows. */
  state: z.enum(MAIL_STATES),
  error: z.string(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  /** Its text is kept still, so it can be sent again. */
  has_text: z.boolean(),
})
export type AdminMail = z.infer<typeof adminMail>

export const auditRow = z.object({
  id: z.number(),
  at: z.string(),
  /** The account's public name; empty: the system. */
  actor: z.string(),
  via: z.enum(AUDIT_VIA),
  /** Of the session or key. */
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
  /** A uid, exactly; `system` for what nobody did. */
  actor: plain(80).optional(),
  /** Exactly, such as `user:u…`. */
  subject: plain(300).optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  /** From, inclusive, to, exclusive. */
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
      /** `short`: contents that fewer nodes hold than should; `nowhere`: that none holds. */
      contents: z.object({ total: z.number(), bytes: z.number(), short: z.number(), nowhere: z.number() }),
      leads: z.object({ open: z.number(), new_7d: z.number() }),
      mails: z.object({ waiting: z.number(), failing: z.number(), refused_7d: z.number() }),
      jobs: z.array(
        z.object({
          name: z.string(),
          waiting: z.number(),
          /** Failed, and will be tried again. */
          failing: z.number(),
          /** Failed for good. */
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
    summary: 'What the operators look at first: counts, waiting work, health',
  }),
  users: route({
    method: 'GET',
    path: '/api/v1/admin/users',
    auth: 'operator',
    input: z.object({
      /** A part of an e-mail address, or the beginning of a uid. */
      q,
      role: z.enum(ROLES).optional(),
      vip: bool.optional(),
      locked: bool.optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminUser), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Accounts, newest first, page by page',
  }),
  user: route({
    method: 'GET',
    path: '/api/v1/admin/user',
    auth: 'operator',
    input: z.object({ uid }),
    output: adminUser.extend({
      /** Own figures in bytes; null: those of the plan. */
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
    summary: 'One account with its limits, use and ways in',
  }),
  setRole: route({
    method: 'POST',
    path: '/api/v1/admin/user/role',
    auth: 'operator',
    input: z.object({ uid, role: z.enum(ROLES), reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Gives an account a role, and the plan that goes with it',
  }),
  setVip: route({
    method: 'POST',
    path: '/api/v1/admin/user/vip',
    auth: 'operator',
    input: z.object({ uid, vip: z.boolean(), reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'planOfRole', 'reasonMissing', 'textTooLong'],
    summary: 'Makes an account a VIP, or ends that',
  }),
  setQuotas: route({
    method: 'POST',
    path: '/api/v1/admin/user/quotas',
    auth: 'operator',
    input: z.object({ uid, storage: quota, outflow: quota, reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'testQuota', 'reasonMissing', 'textTooLong'],
    summary: 'Gives an account limits of its own, or those of its plan again',
  }),
  lock: route({
    method: 'POST',
    path: '/api/v1/admin/user/lock',
    auth: 'operator',
    input: z.object({ uid, reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Locks an account: its sessions end, and neither they nor its keys nor any sign-in let in',
  }),
  unlock: route({
    method: 'POST',
    path: '/api/v1/admin/user/unlock',
    auth: 'operator',
    input: z.object({ uid, reason }),
    output: adminUser,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Lets a locked account in again',
  }),
  grantPoints: route({
    method: 'POST',
    path: '/api/v1/admin/user/points',
    auth: 'operator',
    /** The owner reads the reason, too. */
    input: z.object({ uid, points: z.number().int().min(1).max(POINTS_MAX), reason }),
    output: points,
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Grants points to an account, which its owner may redeem',
  }),
  endSessions: route({
    method: 'POST',
    path: '/api/v1/admin/user/sessions/end',
    auth: 'operator',
    input: z.object({ uid, reason }),
    output: z.object({ ended: z.number() }),
    errors: ['operatorSecondFactor', 'userNotFound', 'ownAccount', 'reasonMissing', 'textTooLong'],
    summary: 'Ends every session of an account',
  }),
  nodes: route({
    method: 'GET',
    path: '/api/v1/admin/nodes',
    auth: 'operator',
    input: z.object({
      /** A part of a name, id, area or address. */
      q,
      status: z.enum(NODE_STATUSES).optional(),
      kind: z.enum(['edge', 'candidate', 'validator']).optional(),
      out: bool.optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminNode), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Nodes by name, page by page, with what only operators see',
  }),
  nodeOut: route({
    method: 'POST',
    path: '/api/v1/admin/node/out',
    auth: 'operator',
    input: z.object({ node_id: nodeId, reason }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Takes a node out of service: it gets nothing new, and what it holds is copied to others',
  }),
  nodeBack: route({
    method: 'POST',
    path: '/api/v1/admin/node/back',
    auth: 'operator',
    input: z.object({ node_id: nodeId, reason }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Puts a node back into service',
  }),
  nodeNote: route({
    method: 'POST',
    path: '/api/v1/admin/node/note',
    auth: 'operator',
    input: z.object({ node_id: nodeId, note }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Keeps a note on a node, for operators alone',
  }),
  leads: route({
    method: 'GET',
    path: '/api/v1/admin/leads',
    auth: 'operator',
    input: z.object({ kind: z.enum(LEAD_KINDS).optional(), handled: bool.optional(), q, after, size }),
    output: z.object({ list: z.array(adminLead), next }),
    errors: ['operatorSecondFactor'],
    summary: 'What people wrote through the portal, newest first',
  }),
  leadChange: route({
    method: 'POST',
    path: '/api/v1/admin/lead',
    auth: 'operator',
    /** What is left out stays. */
    input: z.object({ id: int(1), handled: z.boolean().optional(), note: note.optional() }),
    output: adminLead,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Marks a request as handled or open, and keeps a note on it',
  }),
  mails: route({
    method: 'GET',
    path: '/api/v1/admin/mails',
    auth: 'operator',
    input: z.object({
      /** A part of the recipient's address. */
      q,
      state: z.enum(MAIL_STATES).optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminMail), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Mails of the last 30 days, newest first, without their text',
  }),
  mailResend: route({
    method: 'POST',
    path: '/api/v1/admin/mail/resend',
    auth: 'operator',
    input: z.object({ id: int(1) }),
    output: adminMail,
    errors: ['operatorSecondFactor', 'notFound', 'mailTextGone'],
    summary: 'Sends a mail again whose text is kept still',
  }),
  audit: route({
    method: 'GET',
    path: '/api/v1/admin/audit',
    auth: 'operator',
    input: auditFilter.extend({ after, size }),
    output: z.object({ list: z.array(auditRow), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Who changed what, newest first',
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
    summary: 'The same as a table, all of it, streamed; cells that a spreadsheet would run are made plain text',
  }),
}
