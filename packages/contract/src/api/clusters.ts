import { z } from 'zod'
import { bool, folderId, int, msg, nothing, plain } from '../fields.ts'
import { folderInProgram } from '../folders-in-programs.ts'
import { CLUSTERS } from '../price.ts'
import { route } from '../route.ts'
import {
  consoleWorkspace,
  envVariables,
  healthCheck,
  imageArchive,
  imageReference,
  RESTART_POLICIES,
  SETTINGS,
  STOP_HOURS_MAX,
  shownHealth,
  sizeFields,
  TEMPLATE_TESTS,
  TEMPLATES,
  workloadId,
  workloadName,
  workloadSize,
} from '../workspaces.ts'
import { addressOperations } from './clusters-addresses.ts'
import { composeOperations } from './clusters-compose.ts'
import { connectionOperations } from './clusters-connections.ts'
import { consoleOperations } from './clusters-console.ts'
import { ofWorkload } from './clusters-errors.ts'
import { measureOperations } from './clusters-measures.ts'
import { registryOperations } from './clusters-registries.ts'

/** Errors of image archives. */
const ofArchive = [
  'archiveNotOffered',
  'archiveFile',
  'archiveTooLarge',
  'folderKey',
  'keyAddress',
  'folderUnknown',
  'downloadQuotaExceeded',
] as const

/** Errors of a folder in a program. */
const ofFolder = ['folderNotOffered', 'folderPath', 'folderProgramKey', 'keyAddress', 'folderUnknown'] as const

export const clusters = {
  ...consoleOperations,
  workspaces: route({
    method: 'GET',
    path: '/api/v1/console/workspaces',
    auth: 'console',
    input: nothing,
    output: z.object({ account: z.string(), expires_at: z.string(), list: z.array(consoleWorkspace) }),
    errors: [],
    summary: 'Lists the workspaces of the account with their workloads',
  }),
  templates: route({
    method: 'GET',
    path: '/api/v1/console/templates',
    auth: 'console',
    input: nothing,
    output: z.object({
      list: z.array(
        z.object({
          name: z.enum(TEMPLATES),
          /** Empty: the cluster's default image. */
          image: z.string(),
          ports: z.array(z.number()),
          /** A secret without a value is generated at deployment. */
          env: z.array(z.object({ name: z.string(), value: z.string(), secret: z.boolean() })),
          /** Folders on its disk, beside `/data` and the volumes of its image. */
          paths: z.array(z.string()),
          /** Whether its health is checked, where that is offered. */
          health: z.boolean(),
          tested: z.enum(TEMPLATE_TESTS),
          ...workloadSize.shape,
        }),
      ),
    }),
    errors: [],
    summary: 'Lists the templates: programs that can be deployed by name',
  }),
  deploy: route({
    method: 'POST',
    path: '/api/v1/console/workloads/deploy',
    auth: 'console',
    input: z.object({
      workspace: workloadId,
      name: workloadName,
      /** At most one of `template` and `image`; with neither, the cluster's default image is used. */
      template: z.enum(TEMPLATES).optional(),
      image: imageReference.optional(),
      archive: imageArchive.optional(),
      folder: folderInProgram.optional(),
      command: z.array(plain(2000)).max(50).default([]),
      env: envVariables.default({}),
      ports: z.array(int(1, 65_535)).max(20).default([]),
      restart: z.enum(RESTART_POLICIES).optional(),
      health: healthCheck.nullable().optional(),
      ...sizeFields,
    }),
    output: z.object({
      id: z.string(),
      /** Variables with a generated secret. They are not shown again, but the program has them. */
      generated: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
    errors: [
      'guestLimited',
      ...ofWorkload,
      'workloadName',
      'workloadNameTaken',
      'tooManyWorkloads',
      'workspaceFull',
      'imageName',
      'registryRefused',
      'envName',
      'templateAndImage',
      'healthPath',
      'portUnknown',
      'notOffered',
      ...ofArchive,
      'folderNotOffered',
      'folderPath',
      'folderProgramKey',
    ],
    limit: 60,
    summary: 'Deploys a workload in a workspace, within its free resources',
  }),
  ...composeOperations,
  start: route({
    method: 'POST',
    path: '/api/v1/console/workloads/start',
    auth: 'console',
    input: z.object({ id: workloadId }),
    output: msg,
    errors: [...ofWorkload, 'workspaceFull'],
    limit: 60,
    summary: 'Starts a workload',
  }),
  stop: route({
    method: 'POST',
    path: '/api/v1/console/workloads/stop',
    auth: 'console',
    input: z.object({ id: workloadId }),
    output: msg,
    errors: ofWorkload,
    limit: 60,
    summary: 'Stops a workload; its disk is kept',
  }),
  resize: route({
    method: 'POST',
    path: '/api/v1/console/workloads/resize',
    auth: 'console',
    input: z.object({ id: workloadId, ...sizeFields }),
    output: msg,
    errors: [...ofWorkload, 'workspaceFull', 'diskShrinks'],
    limit: 60,
    summary: 'Changes the resources of a workload; it may be restarted',
  }),
  change: route({
    method: 'POST',
    path: '/api/v1/console/workloads/change',
    auth: 'console',
    input: z.object({
      id: workloadId,
      image: imageReference.optional(),
      archive: imageArchive.optional(),
      command: z.array(plain(2000)).max(50).optional(),
      /** New values. Other variables keep theirs. */
      env: envVariables.default({}),
      /** Names of variables to remove. */
      unset: z.array(plain(100)).max(50).default([]),
      ports: z.array(int(1, 65_535)).max(20).optional(),
      restart: z.enum(RESTART_POLICIES).optional(),
      /** Null: its health is not checked. */
      health: healthCheck.nullable().optional(),
    }),
    output: msg,
    errors: [
      'guestLimited',
      ...ofWorkload,
      'workspaceFull',
      'imageName',
      'registryRefused',
      'envName',
      'healthPath',
      'portUnknown',
      'notOffered',
      'templateAndImage',
      ...ofArchive,
    ],
    limit: 60,
    summary: 'Changes the image, variables, ports or supervision of a workload and restarts it; its disk is kept',
  }),
  history: route({
    method: 'GET',
    path: '/api/v1/console/workloads/history',
    auth: 'console',
    input: z.object({ id: workloadId }),
    output: z.object({
      /** Newest first; the first one is in force. */
      list: z.array(
        z.object({
          revision: z.number(),
          at: z.string(),
          /** Empty: the cluster's default image. */
          image: z.string(),
          command: z.array(z.string()),
          /** Only names, because values may be secrets. */
          env: z.array(z.string()),
          ports: z.array(z.number()),
          ...workloadSize.shape,
          restart: z.enum(RESTART_POLICIES),
          health: shownHealth.nullable(),
          /** What differs from the version before; empty for the oldest one that is kept. */
          changed: z.array(z.enum(SETTINGS)),
          /** The version that was restored; null: these settings were entered. */
          restored: z.number().nullable(),
        }),
      ),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'Lists the versions of the settings of a workload',
  }),
  rollback: route({
    method: 'POST',
    path: '/api/v1/console/workloads/rollback',
    auth: 'console',
    input: z.object({ id: workloadId, revision: int(1, 2_147_483_647) }),
    output: msg,
    errors: [
      ...ofWorkload,
      'workspaceFull',
      'revisionUnknown',
      'registryRefused',
      'imageName',
      'notOffered',
      'archiveFile',
    ],
    limit: 60,
    summary: 'Restores an earlier version of the settings of a workload and restarts it; its disk is kept',
  }),
  ...registryOperations,
  schedule: route({
    method: 'POST',
    path: '/api/v1/console/workloads/schedule',
    auth: 'console',
    input: z.object({
      id: workloadId,
      /** RFC 3339; with `hours`: not used. Without both, a scheduled stop is cancelled. */
      stop_at: z.iso.datetime({ offset: true }).optional(),
      hours: int(1, STOP_HOURS_MAX).optional(),
    }),
    output: z.object({ stop_at: z.string() }),
    errors: [...ofWorkload, 'workloadStopped', 'stopTime'],
    limit: 60,
    summary: 'Stops a workload at a time, or after hours; its disk is kept',
  }),
  ...addressOperations,
  ...connectionOperations,
  remove: route({
    method: 'POST',
    path: '/api/v1/console/workloads/remove',
    auth: 'console',
    input: z.object({ id: workloadId }),
    output: msg,
    errors: ['workloadUnknown', 'folderAttached'],
    limit: 60,
    summary: 'Removes a workload and its disk; its last log lines are kept for a while',
  }),
  ...measureOperations,
  copyIn: route({
    method: 'POST',
    path: '/api/v1/console/workloads/copy',
    auth: 'console',
    input: z.object({
      id: workloadId,
      /** An API key of the same account that is limited to one folder. */
      key: plain(200),
      /** A subfolder of it; default: the whole folder. */
      group_id: folderId.optional(),
      /** Target path on the workload's disk. */
      target: plain(300).default(''),
    }),
    output: z.object({ files: z.number(), bytes: z.number() }),
    errors: [
      'workloadUnknown',
      'workloadStopped',
      'folderKey',
      'keyAddress',
      'folderUnknown',
      'copyTooLarge',
      'copyTarget',
      'contentBlocked',
      'nodesOffline',
      'noArea',
      'downloadQuotaExceeded',
      'clusterUnavailable',
    ],
    limit: 20,
    summary: "Copies a folder of the account's storage into a workload, with an API key limited to this folder",
  }),
  attachFolder: route({
    method: 'POST',
    path: '/api/v1/console/workloads/folder/attach',
    auth: 'console',
    /** The folder that it has already can get another key. */
    input: z.object({ id: workloadId, ...folderInProgram.shape }),
    output: msg,
    errors: ['guestLimited', ...ofWorkload, 'folderAttached', ...ofFolder],
    limit: 60,
    summary: "Gives a workload a folder of the account's storage and restarts it; changed files are saved as versions",
  }),
  saveFolder: route({
    method: 'POST',
    path: '/api/v1/console/workloads/folder/save',
    auth: 'console',
    input: z.object({ id: workloadId }),
    output: msg,
    errors: [...ofWorkload, 'folderMissing'],
    limit: 60,
    summary: 'Saves files that changed in the folder of a workload, soon; what they contained is kept as versions',
  }),
  detachFolder: route({
    method: 'POST',
    path: '/api/v1/console/workloads/folder/detach',
    auth: 'console',
    input: z.object({
      id: workloadId,
      /** Whether changed files are saved first. Without, they stay on the disk of the workload only. */
      save: bool.default(true),
    }),
    output: msg,
    errors: [...ofWorkload, 'folderMissing'],
    limit: 60,
    summary: 'Takes the folder from a workload, after changed files were saved, and deletes its API key',
  }),

  state: route({
    method: 'GET',
    path: '/api/v1/admin/clusters',
    auth: 'operator',
    input: z.object({ again: bool.default(false) }),
    output: z.object({
      list: z.array(
        z.object({
          regions: z.array(z.enum(CLUSTERS)),
          kind: z.enum(['engine', 'kubernetes']),
          state: z.enum(['ready', 'limits-unenforced', 'unsafe', 'absent', 'unknown']),
          reason: z.string(),
          facts: z.record(z.string(), z.string()),
          tried: z.array(z.object({ what: z.string(), result: z.string() })),
          /** Existing and sold resources: cores, MiB, GiB. */
          capacity: workloadSize,
          sold: workloadSize,
        }),
      ),
    }),
    errors: [],
    limit: 30,
    summary: 'Lists the clusters with their checks, capacity and sold resources',
  }),
}
