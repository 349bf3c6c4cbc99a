import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { answerProof } from './proofs.ts'
import { cancelUpload, listAreas, uploadInfo } from './service.ts'

export function serveUploads(serving: ServerServing, context: Context): void {
  serveModule(serving, 'uploads', {
    areas: (input, { caller, lang }) => listAreas(context, caller, lang, input),
    info: (input, { caller }) => uploadInfo(context, caller, input),
    prove: async (input, { caller }) => {
      const { cid, proof } = await answerProof(context, caller, input)
      return { AlreadyExists: true, CID: cid, proof }
    },
    cancel: async (input, { caller, lang }) => {
      await cancelUpload(context, caller, input)
      return successMessage(lang)
    },
  })
}
