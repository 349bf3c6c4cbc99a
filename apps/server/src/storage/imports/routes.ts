import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { claimImport, finishImport, reportProgress } from './leases.ts'
import { cancelImport, importCid, importS3, importUrl, listImports, offered, retryImport } from './service.ts'

export function serveImports(serving: ServerServing, context: Context): void {
  serveModule(serving, 'imports', {
    options: () => offered(context, context.db),
    url: async (input, { caller, ip }) => ({ id: await importUrl(context, caller, input, { ip }) }),
    cid: async (input, { caller, ip }) => ({ id: await importCid(context, caller, input, { ip }) }),
    s3: async (input, { caller, ip }) => ({ id: await importS3(context, caller, input, { ip }) }),
    list: (input, { caller, lang }) => listImports(context, caller, input, lang),
    async cancel({ id }, { caller, ip }) {
      await cancelImport(context, caller, id, { ip })
      return {}
    },
    async retry(input, { caller, ip }) {
      await retryImport(context, caller, input, { ip })
      return {}
    },
    claim: async () => ({ job: await claimImport(context) }),
    progress: (input) => reportProgress(context, input),
    async finish(input) {
      await finishImport(context, input)
      return {}
    },
  })
}
