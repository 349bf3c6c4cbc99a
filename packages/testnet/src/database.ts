import { randomBytes } from 'node:crypto'
import { StartError } from '@tidenet/daemon/start-error'
import pg from 'pg'

export interface PrivateDatabase {
  readonly url: string
  /** Closes all connections and drops the database. */
  drop(): Promise<void>
}

/**
 * Creates a separate database on a shared server.
 * @param adminUrl a database there, as a role that may create databases
 * @param template the database to copy; nobody may be connected to it
 * @throws StartError if the server cannot be reached or refuses
 */
export async function createPrivateDatabase(adminUrl: string, template = 'template1'): Promise<PrivateDatabase> {
  const name = `tidenet_${randomBytes(8).toString('hex')}`
  await runAlone(adminUrl, `create database ${name} template ${template}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runAlone(adminUrl, `drop database if exists ${name} with (force)`) }
}

/** Runs one statement on its own connection. */
async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Ignore errors of a closed connection.
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
