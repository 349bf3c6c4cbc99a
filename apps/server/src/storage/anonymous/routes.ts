import { AppError } from '@tidenet/contract'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { errorPage, isBrowser } from '../shares/redirects.ts'
import { adoptTempFile } from './adopt.ts'
import { createTempFile, tempDownload, tempInfo, tempUploadInfo } from './service.ts'

export function serveTempFiles(serving: ServerServing, context: Context): void {
  serveModule(serving, 'tempFiles', {
    uploadInfo: (input, { ip }) => tempUploadInfo(context, input, ip),
    create: (input, { ip }) => createTempFile(context, input, { ip }),
    download: ({ cid, preview, receipt_key: receiptKey }) => tempDownload(context, cid, { preview, receiptKey }),
    adopt: (input, { caller }) => adoptTempFile(context, caller, input),
    info: ({ cid }) => tempInfo(context, cid),
    share: async ({ cid }, { request, reply }) => {
      const address = await tempDownload(context, cid).then(
        ({ url }) => `${url[0]}&download=true`,
        (error: unknown) => {
          if (!(error instanceof AppError) || !isBrowser(request)) throw error
          return errorPage(context, error)
        },
      )
      reply.redirect(address, 302)
    },
  })
}
