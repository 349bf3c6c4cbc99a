import { z } from 'zod'
import { bool, folderId, int, msg, nothing, plain, refuse } from '../fields.ts'
import { CLUSTERS } from '../price.ts'
import { route } from '../route.ts'
import {
  composed,
  consoleWorkspace,
  envVariables,
  folderInProgram,
  healthCheck,
  imageArchive,
  imageReference,
  LOG_LINES_MAX,
  PUBLISHED_ACCESS,
  RESTART_POLICIES,
  SETTINGS,
  STOP_HOURS_MAX,
  shownHealth,
  sizeFields,
  TEMPLATE_TESTS,
  TEMPLATES,
  USAGE_HOURS_MAX,
  workloadId,
  workloadName,
  workloadSize,
} from '../workspaces.ts'

const time = z.iso.datetime({ offset: true }).optional()
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

/** Errors of every change of a workload. */
const ofWorkload = ['workloadUnknown', 'workspaceNotReady'] as const

const ofConnection = ['workloadUnknown', 'workloadStopped'] as const
const ticket = z.object({
  /** Valid once, within 60 seconds. */
  ticket: z.string(),
  expires_at: z.string(),
})

export const clusters = {
  kubUrl: route({
    method: 'GET',
    path: '/api/v1/platform/kub_url',
    auth: 'public',
    input: z.object({ kub_name: plain(60).optional() }),
    output: z.object({
      /** The console opens at this URL + `/login?account=…&password=…`, where `password` is a console token. */
      url: z.string(),
    }),
    errors: ['clusterUnknown'],
    summary: 'Returns the URL of the container console of a region',
  }),
  account: route({
    method: 'GET',
    path: '/api/v1/platform/user/info',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** The linked wallet, which is the account name in the console. */
      account: z.string(),
      avatar: z.string(),
      user_name: z.string(),
      user_email: z.string(),
      kub_pwd: z.string(),
      created_at: z.string(),
    }),
    errors: ['walletRequired'],
    limit: 60,
    summary: 'Returns account and password of the container console; the first call creates them',
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/v1/platform/user/reset_kub_pwd',
    auth: 'session',
    input: nothing,
    output: z.object({ kub_pwd: z.string() }),
    errors: ['walletRequired'],
    limit: 10,
    summary: 'Sets a new password for the container console and ends its sessions',
  }),
  ticket: route({
    method: 'POST',
    path: '/api/v1/platform/console_ticket',
    auth: 'session',
    input: z.object({ kub_name: z.enum(CLUSTERS).optional() }),
    output: z.object({
      account: z.string(),
      /** Used instead of the password, once, within 60 seconds. */
      ticket: z.string(),
      /** The console's sign-in page with account and token. */
      url: z.string(),
      expires_at: z.string(),
    }),
    errors: ['walletRequired'],
    limit: 60,
    summary: 'Issues a token that opens the container console once',
  }),

  enter: route({
    method: 'POST',
    path: '/api/v1/console/login',
    auth: 'public',
    input: z.object({ account: plain(254), password: plain(200) }),
    output: z.object({ token: z.string(), account: z.string(), expires_at: z.string() }),
    errors: ['signInFailed', 'signInLocked', 'signInExpired', 'incomplete'],
    refuses401: true,
    limit: 30,
    summary: 'Signs in to the container console with a password or a console token',
  }),
  session: route({
    method: 'POST',
    path: '/api/v1/platform/console_session',
    auth: 'admin',
    input: nothing,
    output: z.object({ token: z.string(), expires_at: z.string() }),
    errors: ['keyExpired'],
    limit: 60,
    summary: 'Opens a session of the container console, which ends with the session or API key of the caller',
  }),
  leave: route({
    method: 'POST',
    path: '/api/v1/console/logout',
    auth: 'console',
    input: nothing,
    output: msg,
    errors: [],
    summary: 'Signs out of the container console',
  }),
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
      'nodesOffline',
    ],
    limit: 60,
    summary: 'Deploys the services of a Compose file as workloads, all or none, or says what would be deployed',
  }),
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
  registries: route({
    method: 'GET',
    path: '/api/v1/console/registries',
    auth: 'console',
    input: nothing,
    output: z.object({
      /** The registries that images can come from. */
      hosts: z.array(z.string()),
      /** Logins of the account. Passwords are never returned. */
      list: z.array(z.object({ host: z.string(), username: z.string(), changed_at: z.string() })),
    }),
    errors: [],
    limit: 240,
    summary: 'Lists the registries, and the logins of the account there',
  }),
  setRegistry: route({
    method: 'POST',
    path: '/api/v1/console/registries/set',
    auth: 'console',
    input: z.object({
      host: plain(300).pipe(z.string().min(1)),
      username: plain(300).pipe(z.string().min(1)),
      /** A password or an access token. */
      password: plain(4000).pipe(z.string().min(1)),
    }),
    output: msg,
    errors: ['registryRefused'],
    limit: 30,
    summary: 'Sets user name and password of the account at a registry, for pulling images only',
  }),
  removeRegistry: route({
    method: 'POST',
    path: '/api/v1/console/registries/remove',
    auth: 'console',
    input: z.object({ host: plain(300) }),
    output: msg,
    errors: [],
    limit: 30,
    summary: 'Removes the login of the account at a registry',
  }),
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
  publish: route({
    method: 'POST',
    path: '/api/v1/console/workloads/publish',
    auth: 'console',
    input: z.object({
      id: workloadId,
      port: int(1, 65_535),
      access: z.enum(PUBLISHED_ACCESS),
      /** 8 to 100 characters; with access `password` only. Empty: the present one stays. */
      password: plain(100).default(''),
    }),
    output: msg,
    errors: [...ofWorkload, 'portUnknown', 'notPublished', 'addressPassword', 'tcpPortsTaken'],
    limit: 60,
    summary: 'Sets who can open the address of a port',
  }),
  addDomain: route({
    method: 'POST',
    path: '/api/v1/console/workloads/domains/add',
    auth: 'console',
    input: z.object({
      id: workloadId,
      port: int(1, 65_535),
      /** Such as `shop.example.org`. */
      domain: plain(300),
    }),
    output: msg,
    errors: [...ofWorkload, 'portUnknown', 'notPublished', 'domainName', 'domainTaken', 'tooManyDomains'],
    limit: 60,
    summary: 'Adds a domain of the owner to a port; its records are checked soon and then regularly',
  }),
  checkDomain: route({
    method: 'POST',
    path: '/api/v1/console/workloads/domains/check',
    auth: 'console',
    input: z.object({ id: workloadId, domain: plain(300) }),
    output: msg,
    errors: ['workloadUnknown', 'domainUnknown'],
    limit: 30,
    summary: 'Checks the records of a domain now, and orders its certificate again if that failed',
  }),
  removeDomain: route({
    method: 'POST',
    path: '/api/v1/console/workloads/domains/remove',
    auth: 'console',
    input: z.object({ id: workloadId, domain: plain(300) }),
    output: msg,
    errors: ['workloadUnknown', 'domainUnknown'],
    limit: 60,
    summary: 'Removes a domain and its certificate',
  }),
  open: route({
    method: 'POST',
    path: '/api/v1/console/workloads/open',
    auth: 'console',
    input: z.object({
      /** The host name of an address, such as `web-0123456789ab.apps.example.com`. */
      host: plain(300),
      /** Path and query to open. */
      path: plain(2000).default('/'),
    }),
    output: z.object({
      /** The address with a ticket for the caller, which is valid once, within 60 seconds. */
      url: z.string(),
    }),
    errors: ['notPublished'],
    limit: 120,
    summary: 'Opens the address of a port for its account',
  }),
  exec: route({
    method: 'POST',
    path: '/api/v1/console/workloads/exec',
    auth: 'console',
    input: z.object({
      id: workloadId,
      command: z.array(plain(8000)).min(1).max(200),
      /** With a terminal, stdout and stderr are one stream. */
      tty: bool.default(false),
      columns: int(1, 1000).default(80),
      rows: int(1, 1000).default(24),
    }),
    output: ticket,
    errors: ofConnection,
    limit: 240,
    summary: 'Issues a ticket for one command in a workload, which the websocket /api/v1/console/connect starts',
  }),
  forward: route({
    method: 'POST',
    path: '/api/v1/console/workloads/forward',
    auth: 'console',
    input: z.object({ id: workloadId, port: int(1, 65_535) }),
    output: ticket,
    errors: ofConnection,
    limit: 1200,
    summary:
      'Issues a ticket for one TCP connection to a port of a workload, which the websocket /api/v1/console/connect opens',
  }),
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
  logs: route({
    method: 'GET',
    path: '/api/v1/console/workloads/logs',
    auth: 'console',
    input: z.object({
      id: workloadId,
      lines: int(1, LOG_LINES_MAX).default(500),
      /** Only lines that contain this text; case and colours are ignored. */
      search: plain(200).default(''),
      since: time,
      until: time,
      /** Lines after this number, instead of the last ones. */
      after: int(0).optional(),
    }),
    output: z.object({
      /** Oldest first, including earlier runs. */
      lines: z.array(
        z.object({
          /** Counts from 1 and never changes. */
          n: z.number(),
          at: z.string(),
          /** As printed, with control characters. Cut after 16,384 characters. */
          text: z.string(),
          /** Whether output before it is missing: the program printed more than the cluster keeps between two looks. */
          gap: z.boolean(),
        }),
      ),
      /** The number to continue after. */
      next: z.number(),
      /** Whether more lines match: after `next`, or before the first one. */
      more: z.boolean(),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'Returns or searches the log of a workload, also from before a restart and after its removal',
  }),
  usage: route({
    method: 'GET',
    path: '/api/v1/console/workloads/usage',
    auth: 'console',
    input: z.object({ id: workloadId, hours: int(1, USAGE_HOURS_MAX).default(1) }),
    output: z.object({
      /** Cores in use, and bytes; `received` and `sent` since the start. Oldest first. */
      points: z.array(
        z.object({
          at: z.string(),
          cpu: z.number(),
          memory: z.number(),
          storage: z.number(),
          received: z.number(),
          sent: z.number(),
        }),
      ),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'Returns the resource usage of a workload over time',
  }),
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
