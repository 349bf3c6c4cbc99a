import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { recordChanges } from './events.ts'
import * as service from './service.ts'

export function serveTeams(serving: ServerServing, context: Context): void {
  recordChanges(serving.app, context)
  serveModule(serving, 'teams', {
    list: (_, { caller }) => service.teamsOf(context, caller),
    create: ({ name }, { caller, ip }) => service.createTeam(context, caller, name, { ip }),
    async rename(input, { caller, ip }) {
      await service.renameTeam(context, caller, input, { ip })
      return {}
    },
    async remove({ team }, { caller, ip }) {
      await service.removeTeam(context, caller, team, { ip })
      return {}
    },
    members: ({ team }, { caller }) => service.membersOf(context, caller, team),
    async invite(input, { caller, ip, lang }) {
      await service.invite(context, caller, input, { ip, lang })
      return {}
    },
    async cancelInvitation(input, { caller, ip }) {
      await service.cancelInvitation(context, caller, input, { ip })
      return {}
    },
    async answer(input, { caller, ip }) {
      await service.answerInvitation(context, caller, input, { ip })
      return {}
    },
    async setRole(input, { caller, ip }) {
      await service.setRole(context, caller, input, { ip })
      return {}
    },
    async removeMember(input, { caller, ip }) {
      await service.removeMember(context, caller, input, { ip })
      return {}
    },
    activity: (input, { caller }) => service.activityOf(context, caller, input),
  })
}
