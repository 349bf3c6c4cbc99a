import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { sendToSupport } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'
import { supportEmail } from './emails.ts'
import { texts } from './texts.ts'

/** "Send to support": the trace is stored for the operators, who get an e-mail if they have an address. */
export function serveSupports(serving: ServerServing, context: Context): void {
  serveModule(serving, 'supports', {
    async create(input, { caller, ip, lang }) {
      const { operatorMail } = context.config
      await context.db.transaction(async (tx) => {
        const sent = await sendToSupport(tx, { caller, ip, lang }, input, now(context))
        const sender = caller.kind === 'member' ? caller.uid : ''
        if (sent && operatorMail !== '')
          await queueEmail(context, tx, operatorMail, supportEmail({ ...sent, sender, lang }))
      })
      return { msg: texts[lang].sent }
    },
  })
}
