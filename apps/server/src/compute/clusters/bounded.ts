import { type ClusterDriver, ClusterError } from './driver.ts'

/**
 * How long callers wait for a cluster, in ms. A cluster that hangs must not keep the places of jobs, which others wait for; whoever asks
 * again continues. Far more than a busy cluster needs. Not for what streams, and has limits of its own.
 */
const LIMITS_MS = {
  capacity: 30_000,
  gpuNodes: 30_000,
  createWorkspace: 60_000,
  suspendWorkspace: 600_000,
  removeWorkspace: 600_000,
  listWorkspaces: 60_000,
  // Image pulls are ended by their own limits, earlier.
  deploy: 3_600_000,
  resize: 3_600_000,
  stop: 120_000,
  remove: 300_000,
  list: 120_000,
  ended: 60_000,
  addressOf: 30_000,
  leadToIngress: 60_000,
  usage: 30_000,
  measure: 120_000,
} satisfies { [Name in keyof ClusterDriver]?: number }

type Limits = Partial<Record<keyof typeof LIMITS_MS, number>>

/** A driver whose functions throw ClusterError `absent` when the cluster does not answer in time. @param limits ms, for tests */
export function bounded(driver: ClusterDriver, limits: Limits = LIMITS_MS): ClusterDriver {
  const methods = Object.entries(limits).flatMap(([name, ms]) => {
    const method = driver[name as keyof Limits] as ((...args: unknown[]) => Promise<unknown>) | undefined
    return method ? [[name, (...args: unknown[]) => within(ms, method(...args))] as const] : []
  })
  return { ...driver, ...Object.fromEntries(methods) }
}

/** @throws ClusterError absent after `ms` */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ClusterError('absent', 'The cluster does not answer.')), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
