import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { ownKey } from './caps.ts'
import { openS3Session, verifySignature } from './s3-access.ts'
import {
  changeKey,
  createKey,
  type Folders,
  keysOf,
  permissionsOf,
  removeKey,
  restoreKey,
  rotateKey,
} from './service.ts'

export function serveApiKeys(serving: ServerServing, context: Context, folders: Folders): void {
  serveModule(serving, 'apiKeys', {
    create: (input, { caller, ip }) => createKey({ ...context, ...folders }, caller, input, { ip }),
    list: (_, { caller }) => keysOf({ ...context, ...folders }, caller),
    async change(input, { caller, ip }) {
      await changeKey({ ...context, ...folders }, caller, input, { ip })
      return {}
    },
    rotate: (input, { caller, ip }) => rotateKey(context, caller, input, { ip }),
    async remove({ key_name }, { caller, lang, ip }) {
      await removeKey(context, caller, key_name, { ip })
      return { msg: lang === 'cn' ? 'API 密钥已删除。' : 'The API key has been deleted.' }
    },
    async restore({ key_name }, { caller, lang, ip }) {
      await restoreKey(context, caller, key_name, { ip })
      return { msg: lang === 'cn' ? 'API 密钥已恢复。' : 'The API key has been restored.' }
    },
    permissions: ({ key_name }, { caller }) => permissionsOf(context, caller, key_name),
    own: (_, { caller }) => ownKey(context, caller),
  })
}

export function serveS3Access(serving: ServerServing, context: Context): void {
  serveModule(serving, 's3Access', {
    verify: (input) => verifySignature(context, input),
    session: (input, { ip }) => openS3Session(context, input, ip),
  })
}
