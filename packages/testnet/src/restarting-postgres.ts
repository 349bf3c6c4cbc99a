import { setTimeout as sleep } from 'node:timers/promises'
import { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
import { signal } from './process-identity.ts'

/** A PostgreSQL that restarts on the same port, so that its URL stays valid. */
export interface RestartingPostgres {
  readonly url: string
  readonly port: number
  /** Of the postmaster; undefined while stopped. */
  readonly pid: number | undefined
  kill(name?: NodeJS.Signals): void
  /** Resolves when it ends unexpectedly or by `kill`. */
  readonly exited: Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

const BACK_OFF_MS = [0, 300, 1_000, 3_000, 10_000]

/** Starts PostgreSQL; with `supervise`, restarts it after unexpected exits. */
export async function startRestartingPostgres(
  options: PostgresOptions,
  supervise: boolean,
): Promise<RestartingPostgres> {
  let stopped = false
  let current: Postgres | undefined = await startPostgres(options)
  const { url, port } = current
  let exited = watch(current)
  let starting: Promise<void> | undefined

  function watch(postgres: Postgres): Promise<void> {
    return new Promise((resolve) => {
      postgres.onExit(() => {
        current = undefined
        resolve()
        if (supervise && !stopped) void comeBack()
      })
    })
  }
  function start(): Promise<void> {
    starting ??= startPostgres({ ...options, port }).then(
      (postgres) => {
        starting = undefined
        current = postgres
        exited = watch(postgres)
      },
      (error: unknown) => {
        starting = undefined
        throw error
      },
    )
    return starting
  }
  async function comeBack(): Promise<void> {
    for (let failures = 0; !stopped && !current; failures++) {
      options.log?.('The database ended; starting it again.')
      await sleep(BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)])
      if (stopped || current) return
      await start().catch((error: unknown) => options.log?.((error as Error).message))
    }
  }
  const end = async () => {
    await starting?.catch(() => {})
    await current?.stop()
    current = undefined
  }
  return {
    url,
    port,
    get pid() {
      return current?.pid
    },
    get exited() {
      return exited
    },
    kill: (name = 'SIGKILL') => {
      if (current) signal(current.pid, name)
    },
    async restart() {
      await end()
      await start()
    },
    async stop() {
      stopped = true
      await end()
    },
  }
}
