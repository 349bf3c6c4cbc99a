import { z } from 'zod'
import { bool, int } from '../fields.ts'
import { route } from '../route.ts'
import { after, next, note, q, size } from './admin-fields.ts'
import { earned, earningDispute } from './earnings.ts'
import { LEAD_KINDS } from './leads.ts'
import { trace } from './traces.ts'

/** What users send to the operators, and the e-mails to users, in the operator area. */

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

/** A dispute about earnings. Its text is the sender's: plain text only. */
export const adminDispute = earningDispute.extend({
  /** Of the owner; empty if the account is gone. */
  uid: z.string(),
  email: z.string(),
  lang: z.string(),
  closed_by: z.string(),
  /** What the owner computed, hour by hour. */
  hours: z.array(earned.extend({ hour: z.number() })),
})
export type AdminDispute = z.infer<typeof adminDispute>

export const adminInbox = {
  disputes: route({
    method: 'GET',
    path: '/api/v1/admin/disputes',
    auth: 'operator',
    input: z.object({ closed: bool.optional(), after, size }),
    output: z.object({ list: z.array(adminDispute), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists disputes about earnings with both results, newest first',
  }),
  disputeChange: route({
    method: 'POST',
    path: '/api/v1/admin/dispute',
    auth: 'operator',
    /** Absent fields keep their value. The owner sees the note. */
    input: z.object({ id: int(1), closed: z.boolean().optional(), note: note.optional() }),
    output: adminDispute,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Closes or reopens a dispute about earnings, and sets its note, which the owner sees',
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
}
