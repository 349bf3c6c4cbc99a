import { every } from '@tidenet/daemon'
import type { Pace } from '../config.ts'
import type { Context } from '../context.ts'
import { isUnavailable } from '../db/unavailable.ts'

/** What a server does again and again. Several servers may: each run is safe beside another. */
export interface Task<C> {
  readonly name: string
  /** Ms from the end of a run to the next one, by the pace of the network. */
  readonly every: Readonly<Record<Pace, number>>
  /** Servers of this role run it; `scheduler` when left out. */
  readonly role?: 'scheduler' | 'jobs'
  /** Left out: always. */
  readonly when?: (context: C) => boolean
  readonly run: (context: C, signal: AbortSignal) => Promise<unknown>
}

type Features<C> = readonly { readonly tasks?: readonly Task<C>[] }[]

/** Starts the tasks of the roles that this server has. @returns how to stop them */
export function startTasks<C extends Pick<Context, 'config' | 'log'>>(context: C, features: Features<C>) {
  const { config, log } = context
  const running = features
    .flatMap(({ tasks = [] }) => tasks)
    .filter(({ role = 'scheduler', when }) => config.roles.includes(role) && (when?.(context) ?? true))
    .map((task) =>
      every(
        task.every[config.pace],
        async (signal) => {
          // The pool says once that the database is away; every task would say it again.
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
