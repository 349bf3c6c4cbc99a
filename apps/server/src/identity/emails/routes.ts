import type { Db } from '../../platform/db/db.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { messages } from './emails.ts'
import { changeEmail, sendEmailCode, undoChange } from './service.ts'

/** Ends the sessions of the container console and deletes its password. */
export type EndConsoleAccess = (tx: Db, userId: number) => Promise<void>

export function serveEmails(serving: ServerServing, context: Context, endConsoleAccess: EndConsoleAccess): void {
  serveModule(serving, 'emails', {
    async sendCode({ email }, { caller, ip, lang }) {
      await sendEmailCode(context, caller, email, { ip, lang })
      return { msg: messages[lang].codeSent }
    },
    async change(input, { caller, ip, lang }) {
      await changeEmail(context, caller, input, { ip, lang })
      return { msg: messages[lang].changed }
    },
    async undo({ token }, { ip, lang }) {
      await undoChange({ ...context, endConsoleAccess }, token, { ip, lang })
      return { msg: messages[lang].undone }
    },
  })
}
