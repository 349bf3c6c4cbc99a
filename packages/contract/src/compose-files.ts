import { z } from 'zod'
import { RESTART_POLICIES, shownHealth, workloadSize } from './workspaces.ts'

/** Why a part of a Compose file is refused. */
export const COMPOSE_PROBLEMS = [
  /** The file is not valid YAML. */
  'yaml',
  /** The key is not supported. */
  'unsupported',
  /** The value does not have the supported form. */
  'value',
  /** A variable has no value. */
  'variable',
  /** There is no image, or its registry is not open. */
  'image',
  /** The name cannot be the host name of a program. */
  'name',
  /** The workspace has a program of this name. */
  'taken',
  'port',
  /** A folder of the machine. */
  'bind',
  /** A volume that several services use. */
  'shared',
  /** A volume or service that the file does not contain. */
  'undeclared',
  /** Services that depend on each other. */
  'cycle',
  /** A health check that cannot be made from outside of the program. */
  'check',
  /** The workspace does not have enough free resources for it. */
  'full',
  /** Too many programs. */
  'many',
] as const
export type ComposeProblem = (typeof COMPOSE_PROBLEMS)[number]

/** What of a Compose file is done otherwise: host ports are not used, nobody waits for health, times of checks are the usual ones. */
export const COMPOSE_NOTES = ['hostPort', 'order', 'healthTiming'] as const
export type ComposeNote = (typeof COMPOSE_NOTES)[number]

const remark = <T extends readonly [string, ...string[]]>(reasons: T) =>
  z.object({
    /** Such as `services.web.network_mode`; empty: the file. */
    path: z.string(),
    reason: z.enum(reasons),
    /** What was found, literally or in English; may be empty. */
    detail: z.string(),
  })

/** What a Compose file becomes. */
export const composed = z.object({
  /** In the order in which they are created. */
  programs: z.array(
    z.object({
      name: z.string(),
      image: z.string(),
      command: z.array(z.string()),
      entrypoint: z.array(z.string()),
      /** Only names, because values may be secrets. */
      env: z.array(z.string()),
      ports: z.array(z.number()),
      /** Folders on its disk. */
      paths: z.array(z.string()),
      user: z.string(),
      working_dir: z.string(),
      restart: z.enum(RESTART_POLICIES),
      health: shownHealth.nullable(),
      /** Names of the programs that are created before it. */
      after: z.array(z.string()),
      ...workloadSize.shape,
    }),
  ),
  /** Nothing is created unless this is empty. */
  refused: z.array(
    remark(COMPOSE_PROBLEMS).extend({
      /** With `full`: the size of the program, and what the workspace and the programs before it leave; otherwise null. */
      size: z.object({ asked: workloadSize, left: workloadSize }).nullable(),
    }),
  ),
  notes: z.array(remark(COMPOSE_NOTES)),
  /** Names of the variables that the file uses. */
  variables: z.array(z.string()),
  /** Of the programs that were created, in the order of `programs`; empty for a preview. */
  ids: z.array(z.string()),
})
export type ComposedFile = z.infer<typeof composed>
