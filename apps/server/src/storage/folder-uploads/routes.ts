import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { createAssets } from './create.ts'
import { createFolders } from './folders.ts'
import { uploadInfos } from './info.ts'

export function serveFolderUploads(serving: ServerServing, context: Context): void {
  serveModule(serving, 'folderUploads', {
    folders: async (input, { caller }) => ({ list: await createFolders(context, caller, input) }),
    info: (input, { caller, lang }) => uploadInfos(context, caller, lang, input),
    create: async (input, { caller, lang }) => ({ results: await createAssets(context, caller, lang, input) }),
  })
}
