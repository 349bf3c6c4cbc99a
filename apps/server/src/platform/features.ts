import type { Feature } from './feature.ts'
import * as attempts from './guesses/attempts.ts'
import { measureJobs } from './jobs/figures.ts'
import { handle } from './jobs/job.ts'
import { serveMailbox } from './mail/mailbox.ts'
import { mailToSend } from './mail/post.ts'
import * as mails from './mail/repository.ts'
import { sendMail } from './mail/send.ts'

export const platform: readonly Feature[] = [
  {
    name: 'mail',
    serve: ({ app }, context) => {
      if (context.config.environment !== 'production' && context.config.smtpUrl === '') serveMailbox(app, context)
    },
    jobs: [handle(mailToSend, (context, { mail }) => sendMail(context, mail))],
    expired: mails.expired,
  },
  { name: 'jobs', measure: measureJobs },
  { name: 'guesses', expired: attempts.expired },
]
