import { SHARE } from '@tidenet/contract'
import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listContents } from '../tree/listing.ts'
import { findFolder } from '../tree/tree.ts'
import { openSharedFolder } from './access.ts'
import { isBrowser } from './redirects.ts'
import {
  checkShare,
  createLink,
  findTargetOf,
  followLink,
  linkInfo,
  needPass,
  revokeLink,
  share,
  shortLinkOf,
  updateLink,
} from './service.ts'
import { termsOf } from './terms.ts'

export function serveShares(serving: ServerServing, context: Context): void {
  serveModule(serving, 'shares', {
    create: (input, { caller, ip }) => createLink(context, caller, input, { ip }),
    info: (input, { caller }) => linkInfo(context, caller, input),
    update: async (input, { caller, lang, ip }) => {
      await updateLink(context, caller, input, { ip })
      return successMessage(lang)
    },
    setStatus: async (input, { caller, lang, ip }) => {
      await share(context, caller, input, input.status === SHARE.on, { ip })
      return successMessage(lang)
    },
    revoke: async (input, { caller, lang, ip }) => {
      await revokeLink(context, caller, input.id, { ip })
      return successMessage(lang)
    },
    get: (input, { caller }) => shortLinkOf(context, caller, input),
    needPass: (input) => needPass(context, input),
    check: async (input, { ip, lang }) => ({ ...successMessage(lang), ticket: await checkShare(context, input, ip) }),
    folder: async (input, { caller, lang }) => {
      const opened = await openSharedFolder(context, {
        ...input,
        token: input.ticket,
        caller,
        uid: input.user_id,
        folderId: input.group_id,
      })
      const { owner } = opened
      const [folder, contents] = await Promise.all([
        findFolder(context.db, owner.userId, input.group_id),
        listContents(context, owner, lang, input.group_id, input),
      ])
      return {
        ...contents,
        info: { name: folder?.name ?? '', size: folder?.bytes ?? 0, id: input.group_id },
        terms: await termsOf(context, opened, {
          target: { folderId: input.group_id },
          shared: folder?.shared === true,
        }),
      }
    },
    target: (input) => findTargetOf(context, input),
    follow: async (input, { request, reply }) => {
      return reply.redirect(await followLink(context, input, isBrowser(request)), 302)
    },
  })
}
