import type { ComposeNote, ComposeProblem, HealthCheck, RestartPolicy } from '@tidenet/contract'
import type { Size } from '../../clusters/driver.ts'
import { GB } from '../../clusters/sizes.ts'
import { bytesOf, coresOf, healthOf, portOf, restartOf, secondsOf, userOf, volumeOf, wordsOf } from './fields.ts'
import { type ComposeProgram, isMap, pathOf, type ServiceContext, shown, USUAL_SIZE } from './program.ts'
import type { Yaml } from './read-yaml.ts'

/** One service of a Compose file. */

/** Also the host name of the program. */
const NAME = /^[a-z]([a-z\d-]{0,28}[a-z\d])?$/
const ENV_NAME = /^[A-Za-z_][\w.-]{0,99}$/
const ENV_MAX = 50
const PORTS_MAX = 20
const PATHS_MAX = 8
const MB = 1024 ** 2

/** @returns undefined if it is not even a service; what is wrong with it is in `context` */
export function readService(
  name: string,
  value: Yaml,
  { names, volumes }: { names: readonly string[]; volumes: readonly string[] },
  context: ServiceContext,
): ComposeProgram | undefined {
  const at = (...keys: (string | number)[]) => pathOf('services', name, ...keys)
  const refuse = (path: string, reason: ComposeProblem, detail = '') => {
    context.refused.push({ path, reason, detail })
  }
  const note = (path: string, reason: ComposeNote, detail = '') => {
    context.notes.push({ path, reason, detail })
  }
  if (!NAME.test(name)) refuse(at(), 'name', name.slice(0, 80))
  if (!isMap(value)) {
    refuse(at(), 'value', shown(value))
    return undefined
  }
  const program: ComposeProgram = {
    name,
    image: '',
    command: [],
    entrypoint: [],
    env: {},
    ports: [],
    paths: [],
    user: '',
    workingDir: '',
    restart: undefined,
    health: null,
    size: { ...USUAL_SIZE },
    after: [],
  }
  /** Takes a value, or refuses it. */
  const take = <T>(key: string, found: T | undefined, set: (value: T) => void) => {
    if (found === undefined) refuse(at(key), 'value', shown(value[key]))
    else set(found)
  }
  const readers: Record<string, (each: Yaml) => void> = {
    image: (each) => {
      if (typeof each === 'string' && each.length <= 300) program.image = each.trim()
      else refuse(at('image'), 'value', shown(each))
    },
    command: (each) => each !== null && take('command', wordsOf(each), (words) => (program.command = words)),
    entrypoint: (each) => each !== null && take('entrypoint', wordsOf(each), (words) => (program.entrypoint = words)),
    environment: (each) => {
      program.env = environmentOf(each, at, refuse)
    },
    ports: (each) => {
      if (!Array.isArray(each) || each.length > PORTS_MAX) return refuse(at('ports'), 'value', shown(each))
      for (const [index, one] of each.entries()) {
        const found = portOf(one)
        if (!found) refuse(at('ports', index), 'port', shown(one))
        else {
          if (found.isMapped) note(at('ports', index), 'hostPort', shown(one))
          if (!program.ports.includes(found.port)) program.ports.push(found.port)
        }
      }
    },
    volumes: (each) => {
      if (!Array.isArray(each) || each.length > PATHS_MAX) return refuse(at('volumes'), 'value', shown(each))
      for (const [index, one] of each.entries()) {
        const found = volumeOf(one)
        if (found === undefined) refuse(at('volumes', index), 'value', shown(one))
        else if (found === 'bind') refuse(at('volumes', index), 'bind', shown(one))
        else if (found.name !== '' && !volumes.includes(found.name))
          refuse(at('volumes', index), 'undeclared', found.name)
        else if (program.paths.includes(found.path)) refuse(at('volumes', index), 'value', shown(one))
        else {
          program.paths.push(found.path)
          if (found.name !== '') claim(found.name, at('volumes', index))
        }
      }
    },
    depends_on: (each) => {
      const list = Array.isArray(each) ? each : isMap(each) ? Object.keys(each) : undefined
      if (!list) return refuse(at('depends_on'), 'value', shown(each))
      for (const [index, one] of list.entries()) {
        const key = Array.isArray(each) ? index : String(one).slice(0, 80)
        if (typeof one !== 'string' || !names.includes(one)) {
          refuse(at('depends_on', key), 'undeclared', shown(one))
          continue
        }
        if (!program.after.includes(one)) program.after.push(one)
        const how = isMap(each) ? (each[one] ?? null) : null
        if (how === null) continue
        const { condition = 'service_started', required = true, restart = false, ...more } = isMap(how) ? how : { how }
        if (condition === 'service_healthy') note(at('depends_on', key), 'order')
        else if (condition !== 'service_started') refuse(at('depends_on', key), 'value', shown(condition))
        if (required !== true || restart !== false || Object.keys(more).length > 0)
          refuse(at('depends_on', key), 'value', shown(how))
      }
    },
    restart: (each) => take('restart', restartOf(each), (policy: RestartPolicy) => (program.restart = policy)),
    healthcheck: (each) => {
      program.health = healthcheckOf(each, at, { refuse, note })
    },
    deploy: (each) => {
      program.size = sizeOf(each, program.size, at, refuse)
    },
    working_dir: (each) =>
      take(
        'working_dir',
        typeof each === 'string' && /^\/[^\0]{0,199}$/.test(each) ? each : undefined,
        (path) => (program.workingDir = path),
      ),
    user: (each) => take('user', userOf(each), (user) => (program.user = user)),
    // Ours: Compose knows no size of disks.
    'x-storage': (each) =>
      take('x-storage', bytesOf(each), (bytes) => (program.size.storage = Math.max(1, Math.ceil(bytes / GB)) * GB)),
  }
  const claim = (volume: string, path: string) => {
    if (context.owners.has(volume)) refuse(path, 'shared', volume)
    else context.owners.set(volume, name)
  }
  for (const [key, each] of Object.entries(value)) {
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined
    if (read) read(each)
    else if (!key.startsWith('x-')) refuse(at(key), 'unsupported')
  }
  if (program.image === '' && !Object.hasOwn(value, 'image')) refuse(at(), 'image')
  if (program.health && !program.ports.includes(program.health.port)) program.ports.push(program.health.port)
  return program
}

type At = (...keys: (string | number)[]) => string
type Refuse = (path: string, reason: ComposeProblem, detail?: string) => void

function environmentOf(value: Yaml, at: At, refuse: Refuse): Record<string, string> {
  const pairs: [string, Yaml, string | number][] = Array.isArray(value)
    ? value.map((one, index) => {
        const [name = '', ...rest] = typeof one === 'string' ? one.split('=') : []
        return [name, typeof one === 'string' && one.includes('=') ? rest.join('=') : null, index]
      })
    : isMap(value)
      ? Object.entries(value).map(([name, one]) => [name, one, name])
      : []
  if ((!Array.isArray(value) && !isMap(value)) || pairs.length > ENV_MAX) {
    refuse(at('environment'), 'value', pairs.length > ENV_MAX ? String(pairs.length) : shown(value))
    return {}
  }
  const env: Record<string, string> = {}
  for (const [name, one, key] of pairs) {
    if (!ENV_NAME.test(name) || Object.hasOwn(env, name)) refuse(at('environment', key), 'value', name.slice(0, 80))
    // Without a value, Compose takes that of the machine where it runs.
    else if (one === null) refuse(at('environment', key), 'variable', name)
    else if (typeof one !== 'string' && typeof one !== 'number') refuse(at('environment', key), 'value', shown(one))
    else if (String(one).length > 4000 || String(one).includes('\0')) refuse(at('environment', key), 'value', name)
    else env[name] = String(one)
  }
  return env
}

function healthcheckOf(
  value: Yaml,
  at: At,
  { refuse, note }: { refuse: Refuse; note: (path: string, reason: ComposeNote) => void },
): HealthCheck | null {
  if (!isMap(value)) {
    refuse(at('healthcheck'), 'value', shown(value))
    return null
  }
  const { test, interval, retries, disable, timeout, start_period, start_interval, ...more } = value
  for (const key of Object.keys(more)) refuse(at('healthcheck', key), 'unsupported')
  if (disable === true || (Array.isArray(test) && test[0] === 'NONE')) return null
  for (const [key, one] of Object.entries({ timeout, start_period, start_interval }))
    if (one !== undefined) {
      if (secondsOf(one) === undefined) refuse(at('healthcheck', key), 'value', shown(one))
      else note(at('healthcheck', key), 'healthTiming')
    }
  const found = test === undefined ? undefined : healthOf(test)
  if (!found) {
    refuse(at('healthcheck', 'test'), 'check', shown(test))
    return null
  }
  const seconds = interval === undefined ? 30 : secondsOf(interval)
  if (seconds === undefined) refuse(at('healthcheck', 'interval'), 'value', shown(interval))
  const threshold = retries === undefined ? 3 : Number(retries)
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > 10) {
    refuse(at('healthcheck', 'retries'), 'value', shown(retries))
    return null
  }
  return { ...found, interval: Math.min(3600, Math.max(5, Math.round(seconds ?? 30))), threshold }
}

function sizeOf(value: Yaml, usual: Size, at: At, refuse: Refuse): Size {
  const size = { ...usual }
  if (!isMap(value)) {
    refuse(at('deploy'), 'value', shown(value))
    return size
  }
  for (const [key, resources] of Object.entries(value)) {
    if (key !== 'resources') refuse(at('deploy', key), 'unsupported')
    else if (!isMap(resources)) refuse(at('deploy', key), 'value', shown(resources))
    else
      for (const [kind, limits] of Object.entries(resources)) {
        if (kind !== 'limits') refuse(at('deploy', key, kind), 'unsupported')
        else if (!isMap(limits)) refuse(at('deploy', key, kind), 'value', shown(limits))
        else
          for (const [name, limit] of Object.entries(limits)) {
            const path = at('deploy', key, kind, name)
            const cores = name === 'cpus' ? coresOf(limit) : undefined
            const memory = name === 'memory' ? bytesOf(limit) : undefined
            if (name !== 'cpus' && name !== 'memory') refuse(path, 'unsupported')
            else if (cores !== undefined) size.cpu = cores
            else if (memory !== undefined && memory <= 64 * GB) size.memory = Math.max(32, Math.ceil(memory / MB)) * MB
            else refuse(path, 'value', shown(limit))
          }
      }
  }
  return size
}
