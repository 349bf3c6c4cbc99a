import { z } from 'zod'
import { bool, folderId, int, msg, nothing, plain, refuse } from '../fields.ts'
import { CLUSTERS } from '../price.ts'
import { route } from '../route.ts'

export * from '../terminal.ts'

/** What a workload is, as the console shows it. */
export const WORKLOAD_STATES = ['starting', 'running', 'stopping', 'stopped', 'failed'] as const
export type WorkloadStateWord = (typeof WORKLOAD_STATES)[number]

/** Why a workload is not as it was asked to be. */
export const WORKLOAD_FAILURES = [
  /** Its cluster is away. */
  'absent',
  'full',
  /** The image cannot be had. */
  'image',
  /** Memory was what ended it. */
  'memory',
  /** Its disk use exceeded what was bought. */
  'storage',
  /** It ended by itself. */
  'exit',
  'failed',
] as const
export type WorkloadFailure = (typeof WORKLOAD_FAILURES)[number]

/** Bounds of what a console takes. */
export const WORKLOADS_MAX = 16
export const LOG_LINES_MAX = 5000
export const USAGE_HOURS_MAX = 168
export const TERMINALS_MAX = 8

/** Programs that can be had with a name alone; their texts belong to the portal. */
export const TEMPLATES = ['machine', 'pages', 'nginx', 'postgres', 'redis', 'node', 'python', 'jupyter'] as const
export type TemplateName = (typeof TEMPLATES)[number]

const id = plain(64).pipe(z.string().min(1))

/** As other workloads of the workspace reach it. */
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
  /** Empty for an image of one's own. */
  template: z.string(),
  /** Empty for the cluster's own. */
  image: z.string(),
  command: z.array(z.string()),
  /** Names alone: values may be secrets. */
  env: z.array(z.string()),
  ports: z.array(
    z.object({ port: z.number(), /** Host and port; empty: within the workspace alone. */ address: z.string() }),
  ),
  ...sizeOut.shape,
  state: z.enum(WORKLOAD_STATES),
  /** Whether it was asked to run. */
  wanted: z.boolean(),
  /** Empty: none. `note` has the cluster's own words. */
  failure: z.enum(WORKLOAD_FAILURES).or(z.literal('')),
  note: z.string(),
  exit_code: z.number().nullable(),
  /** RFC 3339; empty: never. */
  started_at: z.string(),
  created_at: z.string(),
  /** Whether the disk refuses what is too much, or use is measured and the program stopped. */
  storage_limit: z.enum(['enforced', 'metered']),
})

const workspace = z.object({
  id: z.string(),
  cluster: z.enum(CLUSTERS),
  state: z.enum(['making', 'ready', 'suspended']),
  /** What was bought: cores, MiB, GiB; and what of it no workload has. */
  size: sizeOut,
  free: sizeOut,
  /** Whether workloads reach each other and the internet. */
  network: z.boolean(),
  created_at: z.string(),
  workloads: z.array(workload),
})
export type ConsoleWorkspace = z.infer<typeof workspace>
export type ConsoleWorkload = z.infer<typeof workload>

/** What a change of a workload may answer. */
const ofWorkload = ['workloadUnknown', 'workspaceNotReady'] as const

export const clusters = {
  kubUrl: route({
    method: 'GET',
    path: '/api/v1/platform/kub_url',
    auth: 'public',
    input: z.object({ kub_name: plain(60).optional() }),
    output: z.object({
      /** The console opens at this address + `/login?account=…&password=…`, where the password is a ticket. */
      url: z.string(),
    }),
    errors: ['clusterUnknown'],
    summary: 'Where the console of a region is',
  }),
  account: route({
    method: 'GET',
    path: '/api/v1/platform/user/info',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** The bound wallet, which is the console's account. */
      account: z.string(),
      avatar: z.string(),
      user_name: z.string(),
      user_email: z.string(),
      kub_pwd: z.string(),
      created_at: z.string(),
    }),
    errors: ['needBindKeplr'],
    limit: 60,
    summary: 'Account and password of the console; the first call makes them',
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/v1/platform/user/reset_kub_pwd',
    auth: 'session',
    input: nothing,
    output: z.object({ kub_pwd: z.string() }),
    errors: ['needBindKeplr'],
    limit: 10,
    summary: 'Gives the console another password and ends its sessions',
  }),
  ticket: route({
    method: 'POST',
    path: '/api/v1/platform/console_ticket',
    auth: 'session',
    input: z.object({ kub_name: z.enum(CLUSTERS).optional() }),
    output: z.object({
      account: z.string(),
      /** Stands in for the password, once, for 60 seconds. */
      ticket: z.string(),
      /** The console's sign-in with both. */
      url: z.string(),
      expires_at: z.string(),
    }),
    errors: ['needBindKeplr'],
    limit: 60,
    summary: 'A ticket that opens the console once',
  }),

  enter: route({
    method: 'POST',
    path: '/api/v1/console/login',
    auth: 'public',
    input: z.object({ account: plain(254), password: plain(200) }),
    output: z.object({ token: z.string(), account: z.string(), expires_at: z.string() }),
    errors: ['signInFailed', 'signInLocked', 'ticketExpired', 'incomplete'],
    refuses401: true,
    limit: 30,
    summary: 'Opens the console by account and password, or by a ticket in its place',
  }),
  leave: route({
    method: 'POST',
    path: '/api/v1/console/logout',
    auth: 'console',
    input: nothing,
    output: msg,
    errors: [],
    summary: 'Ends the session of the console',
  }),
  workspaces: route({
    method: 'GET',
    path: '/api/v1/console/workspaces',
    auth: 'console',
    input: nothing,
    output: z.object({ account: z.string(), expires_at: z.string(), list: z.array(workspace) }),
    errors: [],
    summary: 'The workspaces of the account with what runs in them',
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
          /** Empty: the cluster's own. */
          image: z.string(),
          ports: z.array(z.number()),
          env: z.array(z.object({ name: z.string(), value: z.string(), secret: z.boolean() })),
          ...sizeOut.shape,
        }),
      ),
    }),
    errors: [],
    summary: 'Programs that can be had by name',
  }),
  deploy: route({
    method: 'POST',
    path: '/api/v1/console/workloads/deploy',
    auth: 'console',
    input: z.object({
      workspace: id,
      name: workloadName,
      /** One of them; with neither it is the cluster's own image. */
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
      'twoPrograms',
    ],
    limit: 60,
    summary: 'Starts a program in a workspace, within what was bought',
  }),
  start: route({
    method: 'POST',
    path: '/api/v1/console/workloads/start',
    auth: 'console',
    input: z.object({ id }),
    output: msg,
    errors: [...ofWorkload, 'workspaceFull'],
    limit: 60,
    summary: 'Starts a workload again',
  }),
  stop: route({
    method: 'POST',
    path: '/api/v1/console/workloads/stop',
    auth: 'console',
    input: z.object({ id }),
    output: msg,
    errors: ofWorkload,
    limit: 60,
    summary: 'Stops a workload; what it holds stays',
  }),
  resize: route({
    method: 'POST',
    path: '/api/v1/console/workloads/resize',
    auth: 'console',
    input: z.object({ id, ...size }),
    output: msg,
    errors: [...ofWorkload, 'workspaceFull', 'diskShrinks'],
    limit: 60,
    summary: 'Gives a workload another share of its workspace; it may be started anew',
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
    summary: 'Removes a workload with all it holds; its last lines stay for a while',
  }),
  logs: route({
    method: 'GET',
    path: '/api/v1/console/workloads/logs',
    auth: 'console',
    input: z.object({ id, lines: int(1, LOG_LINES_MAX).default(500) }),
    output: z.object({
      /** Oldest first; those of earlier runs before. */
      lines: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'What a workload wrote, also before it was started anew and after it was removed',
  }),
  usage: route({
    method: 'GET',
    path: '/api/v1/console/workloads/usage',
    auth: 'console',
    input: z.object({ id, hours: int(1, USAGE_HOURS_MAX).default(1) }),
    output: z.object({
      /** Cores in use, bytes; received and sent since it was started. Oldest first. */
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
    summary: 'What a workload used over time',
  }),
  copyIn: route({
    method: 'POST',
    path: '/api/v1/console/workloads/copy',
    auth: 'console',
    input: z.object({
      id,
      /** An API key of the same account that is limited to one folder. */
      key: plain(200),
      /** A folder within that one; absent: the whole. */
      group_id: folderId.optional(),
      /** Where to; below the workload's own disk. */
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
      'clusterAway',
    ],
    limit: 20,
    summary: "Copies a folder of the account's storage into a workload, by a key that opens this folder alone",
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
          /** Cores, MiB, GiB that there are, and that are sold. */
          capacity: sizeOut,
          sold: sizeOut,
        }),
      ),
    }),
    errors: [],
    limit: 30,
    summary: 'The clusters, what was found out about them, and how much of them is sold',
  }),
}
