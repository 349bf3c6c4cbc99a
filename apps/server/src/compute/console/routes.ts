import { AppError, CLUSTERS } from '@tidenet/contract'
import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { serveConnections } from '../connections/serve.ts'
import { issueExecTicket, issueForwardTicket } from '../connections/tickets.ts'
import type { Context } from '../context.ts'
import { openAddress } from '../ingress/service.ts'
import { publishPort } from '../workspaces/addresses.ts'
import { changeWorkload } from '../workspaces/changes.ts'
import { deployCompose } from '../workspaces/compose/deploy-compose.ts'
import { copyFolder } from '../workspaces/copy.ts'
import { deployWorkload, listTemplates } from '../workspaces/deploy.ts'
import { addDomain, checkDomain, removeDomain } from '../workspaces/domains.ts'
import { attachFolder, detachFolder, saveFolderSoon } from '../workspaces/folders.ts'
import { rollBackWorkload, settingsHistory } from '../workspaces/history.ts'
import { readLogs } from '../workspaces/logs.ts'
import { listRegistries, removeRegistry, setRegistry } from '../workspaces/registries.ts'
import { clusterStates } from '../workspaces/state.ts'
import {
  listWorkspaces,
  readUsage,
  removeWorkload,
  resizeWorkload,
  scheduleWorkloadStop,
  setWorkloadState,
} from '../workspaces/workloads.ts'
import { consoleAccount, resetPassword } from './console-account.ts'
import {
  callerOfSession,
  consoleUrl,
  enterConsole,
  findValidSessions,
  issueConsoleToken,
  leaveConsole,
  openMemberSession,
} from './console-sessions.ts'
import { serveTerminals } from './terminal.ts'

export function serveClusters(serving: ServerServing, context: Context): void {
  const terminals = serveTerminals(serving, context)
  serveConnections(serving, context, { callerOfSession, findValidSessions })
  serveModule(serving, 'clusters', {
    kubUrl({ kub_name }) {
      if (kub_name && !CLUSTERS.some((name) => name === kub_name)) throw new AppError('clusterUnknown')
      return { url: consoleUrl(context) }
    },
    account: (_, { caller }) => consoleAccount(context, caller),
    async resetPassword(_, { caller, ip, lang }) {
      const answer = await resetPassword(context, caller, { ip, lang })
      // When the caller gets the new password, all terminals are closed.
      await terminals.check()
      return answer
    },
    ticket: (_, { caller }) => issueConsoleToken(context, caller),
    enter: (input, { ip, agent }) => enterConsole(context, input, { ip, agent }),
    session: (_, { caller, ip, agent }) => openMemberSession(context, caller, { ip, agent }),
    async leave(_, { caller, lang }) {
      await leaveConsole(context.db, caller)
      await terminals.check()
      return successMessage(lang)
    },
    workspaces: (_, { caller, lang }) => listWorkspaces(context, caller, lang),
    templates: () => listTemplates(),
    deploy: (input, { caller, ip }) => deployWorkload(context, caller, input, { ip }),
    compose: (input, { caller, ip }) => deployCompose(context, caller, input, { ip }),
    async start({ id }, { caller, lang }) {
      await setWorkloadState(context, caller, id, 'running')
      return successMessage(lang)
    },
    async stop({ id }, { caller, lang }) {
      await setWorkloadState(context, caller, id, 'stopped')
      return successMessage(lang)
    },
    async resize(input, { caller, lang }) {
      await resizeWorkload(context, caller, input)
      return successMessage(lang)
    },
    async change(input, { caller, lang, ip }) {
      await changeWorkload(context, caller, input, { ip })
      return successMessage(lang)
    },
    history: ({ id }, { caller }) => settingsHistory(context, caller, id),
    async rollback(input, { caller, lang, ip }) {
      await rollBackWorkload(context, caller, input, { ip })
      return successMessage(lang)
    },
    registries: (_, { caller }) => listRegistries(context, caller),
    async setRegistry(input, { caller, lang, ip }) {
      await setRegistry(context, caller, input, { ip })
      return successMessage(lang)
    },
    async removeRegistry({ host }, { caller, lang, ip }) {
      await removeRegistry(context, caller, host, { ip })
      return successMessage(lang)
    },
    schedule: (input, { caller }) => scheduleWorkloadStop(context, caller, input),
    async publish(input, { caller, lang, ip }) {
      await publishPort(context, caller, input, { ip })
      return successMessage(lang)
    },
    async addDomain(input, { caller, lang, ip }) {
      await addDomain(context, caller, input, { ip })
      return successMessage(lang)
    },
    async checkDomain(input, { caller, lang }) {
      await checkDomain(context, caller, input)
      return successMessage(lang)
    },
    async removeDomain(input, { caller, lang, ip }) {
      await removeDomain(context, caller, input, { ip })
      return successMessage(lang)
    },
    open: (input, { caller }) => openAddress(context, caller, input),
    exec: (input, { caller }) => issueExecTicket(context, caller, input),
    forward: (input, { caller }) => issueForwardTicket(context, caller, input),
    async remove({ id }, { caller, lang, ip }) {
      await removeWorkload(context, caller, id, { ip })
      return successMessage(lang)
    },
    logs: (input, { caller }) => readLogs(context, caller, input),
    usage: (input, { caller }) => readUsage(context, caller, input),
    copyIn: (input, { caller, ip }) => copyFolder(context, caller, input, ip),
    async attachFolder(input, { caller, lang, ip }) {
      await attachFolder(context, caller, input, { ip })
      return successMessage(lang)
    },
    async saveFolder({ id }, { caller, lang }) {
      await saveFolderSoon(context, caller, id)
      return successMessage(lang)
    },
    async detachFolder(input, { caller, lang, ip }) {
      await detachFolder(context, caller, input, { ip })
      return successMessage(lang)
    },
    state: ({ again }) => clusterStates(context, again),
  })
}
