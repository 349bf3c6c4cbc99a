import { readLang } from '@tidenet/contract'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { createLead } from './service.ts'
import { texts } from './texts.ts'

export function serveLeads(serving: ServerServing, context: Context): void {
  serveModule(serving, 'leads', {
    async create(input, { ip, lang: ofCall }) {
      const lang = readLang(input.lang) ?? ofCall
      await createLead(context, { ...input, lang }, ip)
      return { msg: texts[lang].taken }
    },
  })
}
