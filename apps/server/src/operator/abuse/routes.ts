import { type Lang, readLang } from '@tidenet/contract'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listBlockedFiles, objectToBlock } from './owners.ts'
import { createReport } from './reports.ts'

const received = {
  en: 'Your report was received. The operators will review it.',
  cn: '举报已收到，运营人员将进行审核。',
} as const satisfies Record<Lang, string>

export function serveAbuse(serving: ServerServing, context: Context): void {
  serveModule(serving, 'abuse', {
    async report(input, { ip, lang: ofCall }) {
      const lang = readLang(input.lang) ?? ofCall
      await createReport(context, { ...input, lang }, ip)
      return { msg: received[lang] }
    },
    blockedFiles: (input, { caller }) => listBlockedFiles(context, caller, input),
    object: (input, { caller }) => objectToBlock(context, caller, input),
  })
}
