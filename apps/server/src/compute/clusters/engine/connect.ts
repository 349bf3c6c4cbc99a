import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import Docker from 'dockerode'
import { type Candidate, candidates, type Host } from './candidates.ts'
import { type Connection, openConnection } from './connection.ts'
import { startPodman } from './podman.ts'
import { machineRuntimes } from './runtimes.ts'
import { tryOrUndefined } from './try-or-undefined.ts'

/** Places on this machine to look for an engine, in order. */
export function engineCandidates(setting: string, runtime = ''): Candidate[] {
  const host: Host = {
    env: process.env,
    home: homedir(),
    platform: process.platform,
    read: (path) => tryOrUndefined(() => readFileSync(path, 'utf8')),
    names: (path) => tryOrUndefined(() => readdirSync(path)) ?? [],
    runtimes: runtime === '' ? machineRuntimes() : [runtime],
  }
  return candidates(setting, host)
}

/**
 * @param user identifies the caller; a service that we started stops with its last user
 * @throws Error with the reason why the engine does not answer
 */
export async function connect(candidate: Candidate, data: string, user: object = {}): Promise<Connection> {
  switch (candidate.kind) {
    case 'refused':
      throw new Error(candidate.why)
    case 'tcp':
      return openConnection(new Docker({ protocol: 'http', host: candidate.host, port: candidate.port }))
    case 'socket':
      if (!candidate.path.startsWith('//') && !existsSync(candidate.path)) throw new Error('no such socket')
      return openConnection(new Docker({ socketPath: candidate.path }))
    case 'podman':
      return startPodman(data, user, candidate.runtime)
  }
}
