import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import Docker from 'dockerode'
import { type Candidate, candidates, type Surroundings } from './candidates.ts'
import { type Connection, greet } from './greet.ts'
import { startPodman } from './podman.ts'
import { quietly } from './quietly.ts'
import { machineRuntimes } from './runtimes.ts'

/** Where to look on this machine, in order. */
export function placesOfEngines(setting: string): Candidate[] {
  const around: Surroundings = {
    env: process.env,
    home: homedir(),
    platform: process.platform,
    read: (path) => quietly(() => readFileSync(path, 'utf8')),
    names: (path) => quietly(() => readdirSync(path)) ?? [],
    runtimes: machineRuntimes(),
  }
  return candidates(setting, around)
}

/**
 * @param user whoever asks; what was started for several ends with the last of them
 * @throws Error that says why nothing answers there
 */
export async function connect(candidate: Candidate, data: string, user: object = {}): Promise<Connection> {
  switch (candidate.kind) {
    case 'refused':
      throw new Error(candidate.why)
    case 'tcp':
      return greet(new Docker({ protocol: 'http', host: candidate.host, port: candidate.port }))
    case 'socket':
      if (!candidate.path.startsWith('//') && !existsSync(candidate.path)) throw new Error('no such socket')
      return greet(new Docker({ socketPath: candidate.path }))
    case 'podman':
      return startPodman(data, user, candidate.runtime)
  }
}
