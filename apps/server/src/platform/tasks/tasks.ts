import { every } from '@tidenet/daemon'
import type { Pace } from '../config.ts'
import type { Context } from '../context.ts'
import { isUnavailable } from '../db/unavailable.ts'

/** Work that is repeated at an interval. Several servers may run it at the same time. */
export interface Task<C> {
  readonly name: string
  /** Ms from the end of a run to the start of the next, by `TIDENET_PACE`. */
  readonly every: Readonly<Record<Pace, number>>
  /** Role of the servers that run it; default: `scheduler`. */
  readonly role?: 'scheduler' | 'jobs'
  /** Default: always. */
  readonly when?: (context: C) => boolean
  readonly run: (context: C, signal: AbortSignal) => Promise<unknown>
}

type Features<C> = readonly { readonly tasks?: readonly Task<C>[] }[]

/** Starts the tasks of this server's roles. @returns a function that stops them */
export function startTasks<C extends Pick<Context, 'config' | 'log'>>(context: C, features: Features<C>) {
  const { config, log } = context
  const running = features
    .flatMap(({ tasks = [] }) => tasks)
    .filter(({ role = 'scheduler', when }) => config.roles.includes(role) && (when?.(context) ?? true))
    .map((task) =>
      every(
        task.every[config.pace],
        async (signal) => {
          // The pool has already logged that the database is unavailable.
          await task.run(context, signal).catch((error: unknown) => {
            if (!isUnavailable(error)) throw error
          })
        },
        { name: task.name, log },
      ),
    )
  return async () => {
    await Promise.all(running.map((task) => task.stop()))
  }
}
