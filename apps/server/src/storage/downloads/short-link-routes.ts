import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { sendLinkCode, verifyLinkEmail } from '../shares/link-emails.ts'
import { openShortLink } from '../shares/opening.ts'
import {
  createShortLink,
  listLinks,
  restoreShortLink,
  revokeShortLink,
  updateShortLink,
} from '../shares/short-links.ts'
import { imageAddress } from './short-link-image.ts'

export function serveShortLinks(serving: ServerServing, context: Context): void {
  serveModule(serving, 'shortLinks', {
    create: (input, { caller, ip }) => createShortLink(context, caller, input, { ip }),
    list: (input, { caller }) => listLinks(context, caller, input),
    update: (input, { caller, ip }) => updateShortLink(context, caller, input, { ip }),
    revoke: async (input, { caller, lang, ip }) => {
      await revokeShortLink(context, caller, input.id, { ip })
      return successMessage(lang)
    },
    restore: async (input, { caller, lang, ip }) => {
      await restoreShortLink(context, caller, input.id, { ip })
      return successMessage(lang)
    },
    open: (input, { caller, ip, agent }) => openShortLink(context, caller, input, { ip, agent }),
    sendCode: async (input, { ip, lang }) => {
      await sendLinkCode(context, input, { ip, lang })
      return successMessage(lang)
    },
    verify: (input, { ip }) => verifyLinkEmail(context, input, ip),
    image: async (input, { ip, agent, reply }) =>
      reply.redirect(await imageAddress(context, input.token, { ip, agent }), 302),
  })
}
