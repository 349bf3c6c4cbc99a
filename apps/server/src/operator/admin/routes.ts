import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { thirdParties } from '../../storage/index.ts'
import type { Context } from '../context.ts'
import { exportAudit, listAudit } from './audit.ts'
import { block, listBlocks, unblock } from './blocks.ts'
import { listContents } from './contents.ts'
import { changeDispute, listDisputes } from './disputes.ts'
import * as exchanges from './exchanges.ts'
import { changeLead, listLeads } from './leads.ts'
import { listMails, resendMail } from './mails.ts'
import { assignNodeArea, listNodes, returnToService, setNodeNote, takeOutOfService } from './nodes.ts'
import { overview } from './overview.ts'
import type { CountWaiting } from './problems.ts'
import { listPublished } from './published.ts'
import { answerObjection, changeReport, listObjections, listReports } from './reports.ts'
import { changeSupport, listSupports } from './supports.ts'
import { trends } from './trends.ts'
import {
  endSessions,
  grantUserPoints,
  listUsers,
  lockUser,
  setQuotas,
  setRole,
  setVip,
  showUser,
  unlockUser,
} from './users.ts'

/** The operator area. The contract requires the role operator for all operations. */
export function serveAdmin(serving: ServerServing, context: Context, countWaiting: CountWaiting): void {
  serveModule(serving, 'admin', {
    overview: () => overview(context, countWaiting),
    trends: () => trends(context),
    contents: (input) => listContents(context, input),
    users: (input) => listUsers(context, input),
    user: ({ uid }) => showUser(context, uid),
    setRole: (input, operator) => setRole(context, operator, input),
    setVip: (input, operator) => setVip(context, operator, input),
    setQuotas: (input, operator) => setQuotas(context, operator, input),
    lock: (input, operator) => lockUser(context, operator, input),
    unlock: (input, operator) => unlockUser(context, operator, input),
    grantPoints: (input, operator) => grantUserPoints(context, operator, input),
    endSessions: (input, operator) => endSessions(context, operator, input),
    nodes: (input) => listNodes(context, input),
    nodeOut: (input, operator) => takeOutOfService(context, operator, input),
    nodeBack: (input, operator) => returnToService(context, operator, input),
    nodeRegion: (input, operator) => assignNodeArea(context, operator, input),
    nodeNote: (input, operator) => setNodeNote(context, operator, input),
    thirdParties: () => thirdParties(context),
    leads: (input) => listLeads(context, input),
    leadChange: (input, operator) => changeLead(context, operator, input),
    disputes: (input) => listDisputes(context, input),
    disputeChange: (input, operator) => changeDispute(context, operator, input),
    supports: (input) => listSupports(context, input),
    supportChange: (input, operator) => changeSupport(context, operator, input),
    exchanges: (input, { lang }) => exchanges.listExchanges(context, input, lang),
    exchangeTotals: (_, { lang }) => exchanges.totals(context, lang),
    exchangeRetry: (input, operator) => exchanges.retry(context, operator, input, operator.lang),
    exchangeRefund: (input, operator) => exchanges.refund(context, operator, input, operator.lang),
    exchangeRate: (input, operator) => exchanges.setRate(context, operator, input),
    blocks: (input) => listBlocks(context, input),
    block: (input, operator) => block(context, operator, input),
    unblock: (input, operator) => unblock(context, operator, input),
    published: (input) => listPublished(context, input),
    reports: (input) => listReports(context, input),
    reportChange: (input, operator) => changeReport(context, operator, input),
    objections: (input) => listObjections(context, input),
    objectionAnswer: (input, operator) => answerObjection(context, operator, input),
    mails: (input) => listMails(context, input),
    mailResend: (input, operator) => resendMail(context, operator, input),
    audit: (input) => listAudit(context, input),
    auditCsv: async (input, operator) => {
      const table = await exportAudit(context, operator, input)
      return operator.reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.csv"')
        .send(table) as never
    },
  })
}
