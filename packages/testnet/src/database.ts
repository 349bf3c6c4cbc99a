import { randomBytes } from 'node:crypto'
import { StartError } from '@tidenet/daemon/start-error'
import pg from 'pg'

export interface PrivateDatabase {
  readonly url: string
  /** Disconnects whoever uses it and removes it. */
  drop(): Promise<void>
}

/**
 * Makes a database of its own on a server that others use too.
 * @param adminUrl of any database there, for someone who may create databases
 * @throws StartError when the server cannot be reached or does not allow it
 */
export async function createPrivateDatabase(adminUrl: string): Promise<PrivateDatabase> {
  const name = `tidenet_${randomBytes(8).toString('hex')}`
  await runAlone(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runAlone(adminUrl, `drop database if exists ${name} with (force)`) }
}

/** Runs one statement on a connection of its own. */
async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // A connection that breaks after use must not end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statement)
  } catch (error) {
    const { host, pathname } = new URL(url)
    throw new StartError(`The database server at ${host}${pathname} refused: ${(error as Error).message}`)
  } finally {
    await client.end().catch(() => {})
  }
}
