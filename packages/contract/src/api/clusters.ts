import { z } from 'zod'
import { bool, folderId, int, msg, nothing, plain, refuse } from '../fields.ts'
import { CLUSTERS } from '../price.ts'
import { route } from '../route.ts'

export * from '../terminal.ts'

export const WORKLOAD_STATES = ['starting', 'running', 'stopping', 'stopped', 'failed'] as const
export type WorkloadStateName = (typeof WORKLOAD_STATES)[number]

/** Why a workload is not in its requested state. */
export const WORKLOAD_FAILURES = [
  /** Its cluster does not respond. */
  'absent',
  'full',
  /** The image cannot be pulled. */
  'image',
  /** Out of memory. */
  'memory',
  /** It used more disk than it has. */
  'storage',
  /** The program exited. */
  'exit',
  'failed',
] as const
export type WorkloadFailure = (typeof WORKLOAD_FAILURES)[number]

export const WORKLOADS_MAX = 16
export const LOG_LINES_MAX = 5000
export const USAGE_HOURS_MAX = 168
export const TERMINALS_MAX = 8

/** Programs that can be deployed by name. The portal has their descriptions. */
export const TEMPLATES = ['machine', 'pages', 'nginx', 'postgres', 'redis', 'node', 'python', 'jupyter'] as const
export type TemplateName = (typeof TEMPLATES)[number]

const id = plain(64).pipe(z.string().min(1))

/** Also the host name within the workspace. */
const workloadName = z
  .string({ error: refuse('workloadName') })
  .trim()
  .toLowerCase()
  .regex(/^[a-z]([a-z\d-]{0,28}[a-z\d])?$/, refuse('workloadName'))

/** `nginx`, `docker.io/library/nginx:1.27`, `ghcr.io/a/b@sha256:…` */
const image = z
  .string()
  .trim()
  .max(300, refuse('imageName'))
  .regex(/^[a-zA-Z\d][\w.:/@-]*$/, refuse('imageName'))

const ENV_NAME = /^[A-Za-z_][\w.-]{0,99}$/
const env = z.record(z.string(), plain(4000)).refine((pairs) => {
  const names = Object.keys(pairs)
  return names.length <= 50 && names.every((name) => ENV_NAME.test(name))
}, refuse('envName'))

const size = {
  /** Cores, in steps of a tenth. */
  cpu: z.coerce
    .number()
    .min(0.1)
    .max(32)
    .transform((cores) => Math.round(cores * 10) / 10),
  /** MiB. */
  memory: int(32, 64 * 1024),
  /** GiB. */
  storage: int(1, 4000),
}

const sizeOut = z.object({ cpu: z.number(), memory: z.number(), storage: z.number() })

const workload = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty for a custom image. */
  template: z.string(),
  /** Empty for the cluster's default image. */
  image: z.string(),
  command: z.array(z.string()),
  /** Only names, because values may be secrets. */
  env: z.array(z.string()),
  ports: z.array(
    z.object({
      port: z.number(),
      /** Host and port; empty: reachable within the workspace only. */ address: z.string(),
    }),
  ),
  ...sizeOut.shape,
  state: z.enum(WORKLOAD_STATES),
  /** Whether it should run. */
  wanted: z.boolean(),
  /** Empty: no failure. `note` is the cluster's message. */
  failure: z.enum(WORKLOAD_FAILURES).or(z.literal('')),
  note: z.string(),
  exit_code: z.number().nullable(),
  /** RFC 3339; empty: never. */
  started_at: z.string(),
  created_at: z.string(),
  /** `enforced`: writes beyond the limit fail; `metered`: the program is stopped when usage exceeds it. */
  storage_limit: z.enum(['enforced', 'metered']),
})

const workspace = z.object({
  id: z.string(),
  cluster: z.enum(CLUSTERS),
  state: z.enum(['making', 'ready', 'suspended']),
  /** Bought resources in cores, MiB and GiB, and the part that no workload uses. */
  size: sizeOut,
  free: sizeOut,
  /** Whether workloads can connect to each other and to the internet. */
  network: z.boolean(),
  created_at: z.string(),
  workloads: z.array(workload),
})
export type ConsoleWorkspace = z.infer<typeof workspace>
export type ConsoleWorkload = z.infer<typeof workload>

/** Errors of every change of a workload. */
const ofWorkload = ['workloadUnknown', 'workspaceNotReady'] as const

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
    output: z.object({ account: z.string(), expires_at: z.string(), list: z.array(workspace) }),
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
          env: z.array(z.object({ name: z.string(), value: z.string(), secret: z.boolean() })),
          ...sizeOut.shape,
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
      workspace: id,
      name: workloadName,
      /** At most one of `template` and `image`; with neither, the cluster's default image is used. */
      template: z.enum(TEMPLATES).optional(),
      image: image.optional(),
      command: z.array(plain(2000)).max(50).default([]),
      env: env.default({}),
      ports: z.array(int(1, 65_535)).max(20).default([]),
      ...size,
    }),
    output: z.object({ id: z.string() }),
    errors: [
      ...ofWorkload,
      'workloadName',
      'workloadNameTaken',
      'tooManyWorkloads',
      'workspaceFull',
      'imageName',
      'registryRefused',
      'envName',
      'templateAndImage',
    ],
    limit: 60,
    summary: 'Deploys a workload in a workspace, within its free resources',
  }),
  start: route({
    method: 'POST',
    path: '/api/v1/console/workloads/start',
    auth: 'console',
    input: z.object({ id }),
    output: msg,
    errors: [...ofWorkload, 'workspaceFull'],
    limit: 60,
    summary: 'Starts a workload',
  }),
  stop: route({
    method: 'POST',
    path: '/api/v1/console/workloads/stop',
    auth: 'console',
    input: z.object({ id }),
    output: msg,
    errors: ofWorkload,
    limit: 60,
    summary: 'Stops a workload; its disk is kept',
  }),
  resize: route({
    method: 'POST',
    path: '/api/v1/console/workloads/resize',
    auth: 'console',
    input: z.object({ id, ...size }),
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
      id,
      image: image.optional(),
      command: z.array(plain(2000)).max(50).optional(),
      /** New values. Other variables keep theirs. */
      env: env.default({}),
      /** Names of variables to remove. */
      unset: z.array(plain(100)).max(50).default([]),
      ports: z.array(int(1, 65_535)).max(20).optional(),
    }),
    output: msg,
    errors: [...ofWorkload, 'workspaceFull', 'imageName', 'registryRefused', 'envName'],
    limit: 60,
    summary: 'Changes the image, variables or ports of a workload and restarts it; its disk is kept',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/console/workloads/remove',
    auth: 'console',
    input: z.object({ id }),
    output: msg,
    errors: ['workloadUnknown'],
    limit: 60,
    summary: 'Removes a workload and its disk; its last log lines are kept for a while',
  }),
  logs: route({
    method: 'GET',
    path: '/api/v1/console/workloads/logs',
    auth: 'console',
    input: z.object({ id, lines: int(1, LOG_LINES_MAX).default(500) }),
    output: z.object({
      /** Oldest first, including earlier runs. */
      lines: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'Returns the log of a workload, also from before a restart and after its removal',
  }),
  usage: route({
    method: 'GET',
    path: '/api/v1/console/workloads/usage',
    auth: 'console',
    input: z.object({ id, hours: int(1, USAGE_HOURS_MAX).default(1) }),
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
      id,
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
          capacity: sizeOut,
          sold: sizeOut,
        }),
      ),
    }),
    errors: [],
    limit: 30,
    summary: 'Lists the clusters with their checks, capacity and sold resources',
  }),
}
