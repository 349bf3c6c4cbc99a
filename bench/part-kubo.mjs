// Kubo nodes on loopback, without other peers.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

export async function startKubo(program, work, name) {
  const env = { ...process.env, IPFS_PATH: join(work, name), IPFS_TELEMETRY: 'off' }
  const run = async (...args) =>
    (await promisify(execFile)(program, args, { env, maxBuffer: 16 * 1024 * 1024 })).stdout.toString()
  await run('init', '--profile=test', '--empty-repo')
  for (const [setting, value] of [
    ['Addresses.API', '"/ip4/127.0.0.1/tcp/0"'],
    ['Addresses.Gateway', '[]'],
    ['Addresses.Swarm', '["/ip4/127.0.0.1/tcp/0"]'],
    ['Routing.Type', '"none"'],
    ['Provide.Enabled', 'false'],
  ])
    await run('config', '--json', setting, value)
  const daemon = spawn(program, ['daemon'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface({ input: daemon.stdout })) if (line.includes('Daemon is ready')) break
  daemon.stdout.resume()
  return {
    run,
    async connect(other) {
      const { Addresses: addresses } = JSON.parse(await other.run('id', '--format=json', '--enc=json'))
      await run('swarm', 'connect', addresses[0])
    },
    async stop() {
      daemon.kill('SIGTERM')
      if (daemon.exitCode === null) await once(daemon, 'exit')
    },
  }
}
