import { z } from 'zod'
import { composed } from '../compose-files.ts'
import { refuse } from '../fields.ts'
import { route } from '../route.ts'
import { envVariables, imageArchive, workloadId } from '../workspaces.ts'

/** Compose files. */
export const composeOperations = {
  compose: route({
    method: 'POST',
    path: '/api/v1/console/workloads/compose',
    auth: 'console',
    input: z.object({
      workspace: workloadId,
      /** The Compose file; empty if `file` names it. At most 128 KiB. */
      text: z.string().max(200_000, refuse('composeText')).default(''),
      /** The Compose file in the account's storage. */
      file: imageArchive.optional(),
      /** Values of variables such as `${TAG}`. */
      variables: envVariables.default({}),
      /** Whether to say only what would be created. */
      preview: z.boolean().default(false),
    }),
    output: composed,
    errors: [
      'guestLimited',
      'workspaceNotReady',
      'composeText',
      'composeRefused',
      'envName',
      'workloadNameTaken',
      'tooManyWorkloads',
      'workspaceFull',
      'notOffered',
      'portUnknown',
      'archiveFile',
      'archiveTooLarge',
      'folderKey',
      'keyAddress',
      'folderUnknown',
      'downloadQuotaExceeded',
      'contentBlocked',
      'nodesOffline',
    ],
    limit: 60,
    summary: 'Deploys the services of a Compose file as workloads, all or none, or says what would be deployed',
  }),
}
