import type { ServerServing } from '../app.ts'
import type { Context } from '../context.ts'
import { serveDuty } from '../operations.ts'
import { createTempFile, tempDownload, tempInfo, tempUploadInfo } from './service.ts'

export function serveTempFiles(serving: ServerServing, context: Context): void {
  serveDuty(serving, 'tempFiles', {
    uploadInfo: (input) => tempUploadInfo(context, input),
    create: (input) => createTempFile(context, input),
    download: ({ cid }) => tempDownload(context, cid),
    info: ({ cid }) => tempInfo(context, cid),
    share: async ({ cid }, { reply }) => {
      const { url } = await tempDownload(context, cid)
      reply.redirect(`${url[0]}&download=true`, 302)
    },
  })
}
