import type { ComposeNote, ComposeProblem, HealthCheck, RestartPolicy } from '@tidenet/contract'
import type { Size } from '../../clusters/driver.ts'
import { GB } from '../../clusters/sizes.ts'
import type { Yaml } from './read-yaml.ts'

/** What a service of a Compose file becomes, and what is said about it. */

export interface ComposeProgram {
  name: string
  image: string
  command: string[]
  entrypoint: string[]
  env: Record<string, string>
  ports: number[]
  paths: string[]
  user: string
  workingDir: string
  restart: RestartPolicy | undefined
  health: HealthCheck | null
  size: Size
  /** Services that are created before it. */
  after: string[]
}

export interface Remark<T> {
  /** Such as `services.web.network_mode`; empty: the file. */
  path: string
  reason: T
  /** What was found, literally or in English; may be empty. */
  detail: string
}

/** What is found while the services of a file are read. */
export interface ServiceContext {
  refused: Remark<ComposeProblem>[]
  notes: Remark<ComposeNote>[]
  /** The service of each volume: a disk belongs to one program. */
  owners: Map<string, string>
}

/** Of a service that states none. */
export const USUAL_SIZE: Size = { cpu: 0.5, memory: 512 * 1024 ** 2, storage: 2 * GB }

export const isMap = (value: Yaml | undefined): value is { [key: string]: Yaml } =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Joins names to a path; keys of strangers are cut. */
export const pathOf = (...names: readonly (string | number)[]): string =>
  names.map((name) => String(name).slice(0, 80)).join('.')

export const shown = (value: Yaml | undefined): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 100)
