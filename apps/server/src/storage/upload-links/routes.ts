import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { addLinkUpload, beginLinkUpload } from './service.ts'

export function serveUploadLinks(serving: ServerServing, context: Context): void {
  serveModule(serving, 'uploadLinks', {
    begin: (input, { ip }) => beginLinkUpload(context, input, ip),
    add: async (input, { lang }) => {
      await addLinkUpload(context, input)
      return successMessage(lang)
    },
  })
}
