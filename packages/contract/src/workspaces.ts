import { z } from 'zod'
import { int, plain, refuse } from './fields.ts'
import { shownFolder } from './folders-in-programs.ts'
import { CLUSTERS } from './price.ts'

/** Workspaces and workloads of the container console: limits, input fields, and objects of the wire. */

export const WORKLOAD_STATES = ['starting', 'running', 'stopping', 'stopped', 'failed'] as const
export type WorkloadStateName = (typeof WORKLOAD_STATES)[number]

/** Why a workload is not in its requested state. */
export const WORKLOAD_FAILURES = [
  /** Its cluster does not respond. */
  'absent',
  'full',
  /** The image cannot be pulled, for another reason than the following ones. */
  'image',
  /** The registry has no image of this name. */
  'name',
  /** The image does not have this tag. */
  'tag',
  /** The registry refuses access to the image. */
  'registry',
  /** The registry cannot be reached. */
  'unreachable',
  /** The image did not arrive in time. */
  'slow',
  /** The image names no command, or the command does not exist in it. */
  'command',
  /** The image archive cannot be used. */
  'archive',
  /** The files of its folder cannot be copied into it. */
  'folder',
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
export const TEMPLATES = [
  ...(['machine', 'pages', 'nginx', 'caddy', 'php', 'node', 'python', 'jupyter', 'code'] as const),
  ...(['postgres', 'mariadb', 'mongo', 'redis', 'mosquitto', 'gitea', 'grafana', 'n8n'] as const),
] as const
export type TemplateName = (typeof TEMPLATES)[number]

/**
 * What of a template the tests of this version run. `image`: its image. `settings`: its settings, with Debian's package of the program
 * instead of the image, which was never pulled. `none`: neither.
 */
export const TEMPLATE_TESTS = ['image', 'settings', 'none'] as const
export type TemplateTest = (typeof TEMPLATE_TESTS)[number]

export const workloadId = plain(64).pipe(z.string().min(1))

/** Also the host name within the workspace. */
export const workloadName = z
  .string({ error: refuse('workloadName') })
  .trim()
  .toLowerCase()
  .regex(/^[a-z]([a-z\d-]{0,28}[a-z\d])?$/, refuse('workloadName'))

/** `nginx`, `docker.io/library/nginx:1.27`, `ghcr.io/a/b@sha256:…` */
export const imageReference = z
  .string()
  .trim()
  .max(300, refuse('imageName'))
  .regex(/^[a-zA-Z\d][\w.:/@-]*$/, refuse('imageName'))

/** An image archive (`docker save`, OCI layout), or a folder with an OCI layout, in the account's storage. */
export const imageArchive = z.object({
  /** An API key of the same account that is limited to one folder. */
  key: plain(200),
  /** The CID of the file, or its path below the folder; for a folder its path, `.` for the folder of the key. */
  file: plain(1000).pipe(z.string().min(1)),
})

const ENV_NAME = /^[A-Za-z_][\w.-]{0,99}$/
export const envVariables = z.record(z.string(), plain(4000)).refine((pairs) => {
  const names = Object.keys(pairs)
  return names.length <= 50 && names.every((name) => ENV_NAME.test(name))
}, refuse('envName'))

export const sizeFields = {
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

export const workloadSize = z.object({ cpu: z.number(), memory: z.number(), storage: z.number() })

/**
 * Who can open the address of a port: its account, who knows the password, everybody, or nobody. `tcp`: everybody, by TCP at a port of the
 * ingress, instead of by HTTP.
 */
export const PUBLISHED_ACCESS = ['account', 'password', 'public', 'tcp', 'none'] as const
export type PublishedAccess = (typeof PUBLISHED_ACCESS)[number]

/** Parts of a program's settings that can differ between two versions. */
export const SETTINGS = ['image', 'command', 'env', 'ports', 'size', 'restart', 'health'] as const
export type Setting = (typeof SETTINGS)[number]
/** Versions of the settings that are kept. */
export const SETTINGS_KEPT = 20

/** When a program that ended by itself is started again. `on-failure`: after an exit code other than 0, or failed health checks. */
export const RESTART_POLICIES = ['always', 'on-failure', 'never'] as const
export type RestartPolicy = (typeof RESTART_POLICIES)[number]

/**
 * Of what the owner is told: more than 90 % of the disk is used; more than 95 % of the memory for five minutes; it was restarted three times
 * in a row without running well; it was stopped because its disk was full; its health checks fail.
 */
export const PROGRAM_PROBLEMS = ['disk', 'memory', 'restarts', 'stopped', 'unhealthy'] as const
export type ProgramProblem = (typeof PROGRAM_PROBLEMS)[number]

export const HEALTH_KINDS = ['http', 'tcp'] as const
/** `unknown`: not checked since its last start. */
export const HEALTH_STATES = ['unknown', 'healthy', 'unhealthy'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** The server tries a port of the program: an HTTP request, or only a connection. */
export const healthCheck = z.object({
  kind: z.enum(HEALTH_KINDS),
  port: int(1, 65_535),
  /** For HTTP: a status from 200 to 399 is a success. Redirects are not followed. */
  path: plain(500)
    .pipe(z.string().regex(/^\/[\x21-\x7e]*$/, refuse('healthPath')))
    .default('/'),
  /** Seconds between two checks. */
  interval: int(5, 3600).default(30),
  /** Failures in a row until the program is unhealthy. */
  threshold: int(1, 10).default(3),
})
export type HealthCheck = z.output<typeof healthCheck>
/** A program that was just started may take this long until its first success, in seconds. */
export const HEALTH_START_S = 60

export const shownHealth = z.object({
  kind: z.enum(HEALTH_KINDS),
  port: z.number(),
  path: z.string(),
  interval: z.number(),
  threshold: z.number(),
})
export const STOP_HOURS_MAX = 8760

/**
 * Why a domain is not served yet, or not for long: its records do not lead to the program, its name servers do not answer, another program
 * has proven it, its addresses are not ours, its CAA records forbid our CA, we or the CA wait because of a quota, the CA refuses.
 */
export const DOMAIN_PROBLEMS = ['record', 'dns', 'taken', 'address', 'caa', 'quota', 'ca'] as const
/** Domains of a workspace. */
export const DOMAINS_MAX = 10

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
      /** Host and port on the cluster's machine; empty: there is none. */
      address: z.string(),
      /** The address for browsers, or `tcp://host:port`; empty: this network publishes no ports, or `access` is `none`. */
      url: z.string(),
      access: z.enum(PUBLISHED_ACCESS),
    }),
  ),
  /** Folders on its disk, beside `/data` and the volumes of its image. */
  paths: z.array(z.string()),
  /** The folder of the account's storage in it; null: none. */
  folder: shownFolder.nullable(),
  /** Domains of the owner, for one of the ports each. */
  domains: z.array(
    z.object({
      domain: z.string(),
      port: z.number(),
      /** The name that the domain must be an alias (CNAME) of. */
      target: z.string(),
      /** Instead of the alias: the text (TXT) of `_tidenet.<domain>`, with the addresses of `target`. */
      token: z.string(),
      /** Whether it is the owner's; visitors get an answer as soon as there is a certificate, too. */
      proven: z.boolean(),
      /** Empty: none. `detail` says in English what was found. */
      problem: z.enum(DOMAIN_PROBLEMS).or(z.literal('')),
      detail: z.string(),
      /** RFC 3339; empty: there is no certificate yet. */
      certificate_until: z.string(),
      /** RFC 3339: when it is given up, because its records are wrong; empty: they are right, or never were. */
      lost_at: z.string(),
    }),
  ),
  ...workloadSize.shape,
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
  restart: z.enum(RESTART_POLICIES),
  /** Restarts after failures since it was last started or changed. */
  restarts: z.number(),
  /** RFC 3339; empty: no restart is planned. */
  restart_at: z.string(),
  /** Null: its health is not checked. */
  health: shownHealth.nullable(),
  health_state: z.enum(HEALTH_STATES),
  /** What was wrong at the last check; empty: nothing. */
  health_note: z.string(),
  /** When it is stopped, RFC 3339; empty: not scheduled. */
  stop_at: z.string(),
  problems: z.array(z.enum(PROGRAM_PROBLEMS)),
  /** `enforced`: writes beyond the limit fail; `metered`: the program is stopped when usage exceeds it. */
  storage_limit: z.enum(['enforced', 'metered']),
  /** `own`: it runs on a kernel of its own; `shared`: on that of the machine, with workloads of others. */
  kernel: z.enum(['own', 'shared']),
})

export const consoleWorkspace = z.object({
  id: z.string(),
  cluster: z.enum(CLUSTERS),
  state: z.enum(['making', 'ready', 'suspended']),
  /** Bought resources in cores, MiB and GiB, and the part that no workload uses. */
  size: workloadSize,
  free: workloadSize,
  /** Whether workloads can connect to each other and to the internet. */
  network: z.boolean(),
  /** Whether the network keeps workloads of other workspaces away. */
  apart: z.boolean(),
  /** Limits of its traffic, all workloads together; 0: not limited. */
  traffic: z.object({
    /** Mbit/s in each direction. */
    megabits: z.number(),
    /** Open connections that its programs started. */
    connections: z.number(),
    /** Ports to which programs cannot connect. */
    closed_ports: z.array(z.number()),
  }),
  /** Whether restart policies are offered; otherwise the cluster restarts programs that end, always. */
  supervised: z.boolean(),
  health_checks: z.boolean(),
  /** Whether images can come from archives in the account's storage. */
  archives: z.boolean(),
  /** Whether programs can have a folder of the account's storage. */
  folders: z.boolean(),
  /** Whether programs can have domains of their owner. */
  domains: z.boolean(),
  /** Whether ports can be opened by TCP. */
  tcp: z.boolean(),
  created_at: z.string(),
  /** Of a suspended workspace: what is kept of it, and for how long. Otherwise null. */
  kept: z
    .object({
      /** RFC 3339: when its programs were stopped, and when all of it is deleted. */
      since: z.string(),
      until: z.string(),
      /** The order that restores it when it is bought again. */
      order: z.string(),
      /** Bytes on the disks of its programs at the last measure; programs that were never measured are left out. */
      disks: z.array(z.object({ id: z.string(), bytes: z.number() })),
    })
    .nullable(),
  workloads: z.array(workload),
})
export type ConsoleWorkspace = z.infer<typeof consoleWorkspace>
export type ConsoleWorkload = z.infer<typeof workload>
