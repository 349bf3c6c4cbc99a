import * as attempts from './attempts/attempts.ts'
import * as auditLog from './audit-log/query.ts'
import type { Feature } from './feature.ts'
import { handle } from './jobs/job.ts'
import { measureJobs } from './jobs/job-counts.ts'
import { serveMailbox } from './mail/mailbox.ts'
import { sendMailJob } from './mail/queue.ts'
import * as mails from './mail/repository.ts'
import { sendMail } from './mail/send.ts'
import { appendQueued } from './transparency-log/append.ts'
import { serveLog } from './transparency-log/routes.ts'

export const platform: readonly Feature[] = [
  {
    name: 'mail',
    serve: ({ app }, context) => {
      if (context.config.environment !== 'production' && context.config.smtpUrl === '') serveMailbox(app, context)
    },
    jobs: [handle(sendMailJob, (context, { mail }) => sendMail(context, mail))],
    expired: mails.expired,
    erase: ({ email }) => (email === null ? [] : mails.erased(email)),
  },
  { name: 'audit log', exported: ({ uid }) => [{ name: 'activity', personal: true, rows: auditLog.exported(uid) }] },
  { name: 'jobs', measure: measureJobs },
  { name: 'attempts', expired: attempts.expired },
  {
    name: 'transparency-log',
    serve: serveLog,
    tasks: [{ name: 'append-receipts', every: { usual: 1000, quick: 200 }, run: appendQueued }],
  },
]
