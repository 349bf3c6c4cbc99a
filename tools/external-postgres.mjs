// Starts Debian's PostgreSQL in a temporary folder, for tests of the network with DATABASE_URL.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VERSIONS = '/usr/lib/postgresql'

/** The folder with the programs of the newest version, at least 15; undefined if there is none. */
export function debianPostgres() {
  if (!existsSync(VERSIONS)) return undefined
  const [newest] = readdirSync(VERSIONS)
    .filter((version) => Number(version) >= 15 && existsSync(join(VERSIONS, version, 'bin/initdb')))
    .sort((a, b) => Number(b) - Number(a))
  return newest && join(VERSIONS, newest, 'bin')
}

/** Starts it and returns its URL and a function to stop it. As root, it runs as the user `postgres`, because PostgreSQL refuses to run as root. */
export async function startDebianPostgres(bin) {
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-external-'))
  const account = process.getuid() === 0 ? idOf('postgres') : {}
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (account.uid !== undefined) chownSync(data, account.uid, account.gid)
  const run = { cwd: folder, stdio: 'ignore', ...account }
  const initdb = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'tidenet', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    run,
  )
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.status}`)
  const port = await freePort()
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'fsync=off',
    ],
    run,
  )
  for (let attempt = 0; attempt < 100; attempt++) {
    if (spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url: `postgresql://tidenet@127.0.0.1:${port}/postgres`,
    async stop() {
      const exited = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function idOf(user) {
  const id = (flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
