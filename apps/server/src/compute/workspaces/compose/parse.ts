import { type ComposeNote, type ComposeProblem, WORKLOADS_MAX } from '@tidenet/contract'
import { interpolate, type Used } from './interpolate.ts'
import { type ComposeProgram, isMap, pathOf, type Remark, type ServiceContext, shown } from './program.ts'
import { isShallow, readYaml, type Yaml } from './read-yaml.ts'
import { readService } from './service.ts'

/** A Compose file as programs of a workspace. What is not supported is refused by name, so that nothing is silently left out. */

export interface Composed {
  /** In the order of their dependencies. */
  programs: ComposeProgram[]
  refused: Remark<ComposeProblem>[]
  /** What is accepted, but differs from what Docker does. */
  notes: Remark<ComposeNote>[]
  /** Names of the variables that the file uses. */
  variables: string[]
}

const REMARKS_MAX = 100

/** Reads a Compose file. Never throws. */
export function parseCompose(text: string, values: Readonly<Record<string, string>>): Composed {
  const context: ServiceContext = { refused: [], notes: [], owners: new Map() }
  const used: Used = { names: new Set(), expressions: 0, characters: 0 }
  const end = (programs: ComposeProgram[] = []): Composed => ({
    programs: context.refused.length > 0 ? programs : inOrder(programs, context),
    refused: context.refused.slice(0, REMARKS_MAX),
    notes: context.notes.slice(0, REMARKS_MAX),
    variables: [...used.names].slice(0, REMARKS_MAX),
  })
  const refuse = (path: string, reason: ComposeProblem, detail = '') => {
    context.refused.push({ path, reason, detail })
  }
  const read = readYaml(text)
  if ('problem' in read || !isShallow(read.value)) {
    refuse('', 'yaml', 'problem' in read ? read.problem : 'too many levels')
    return end()
  }
  const file = withValues(read.value, values, { refuse, used })
  if (!isMap(file)) {
    refuse('', 'yaml', 'no services')
    return end()
  }
  const volumes = volumesOf(file.volumes, refuse)
  for (const key of Object.keys(file))
    if (!['name', 'version', 'services', 'volumes'].includes(key) && !key.startsWith('x-')) refuse(key, 'unsupported')
  const { services } = file
  if (!isMap(services) || Object.keys(services).length === 0) {
    refuse('services', 'value', shown(services))
    return end()
  }
  const names = Object.keys(services)
  if (names.length > WORKLOADS_MAX) {
    refuse('services', 'many', String(names.length))
    return end()
  }
  const programs = names
    .map((name) => readService(name, services[name] ?? null, { names, volumes }, context))
    .filter((one) => one !== undefined)
  return end(programs)
}

/** The value with variables replaced in all texts, but not in keys. */
function withValues(
  value: Yaml,
  values: Readonly<Record<string, string>>,
  { refuse, used }: { refuse: (path: string, reason: ComposeProblem, detail?: string) => void; used: Used },
): Yaml {
  const visit = (one: Yaml, names: readonly (string | number)[]): Yaml => {
    if (Array.isArray(one)) return one.map((each, index) => visit(each, [...names, index]))
    if (isMap(one))
      // `__proto__` as a key of its own.
      return Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(one).map(([key, each]) => [key, visit(each, [...names, key])])),
      )
    if (typeof one !== 'string' || !one.includes('$')) return one
    const found = interpolate(one, values, used)
    if ('text' in found) return found.text
    if ('variable' in found) refuse(pathOf(...names), 'variable', found.variable)
    else refuse(pathOf(...names), 'value', shown(one))
    return ''
  }
  return visit(value, [])
}

/** The names of the volumes that the file declares. */
function volumesOf(
  value: Yaml | undefined,
  refuse: (path: string, reason: ComposeProblem, detail?: string) => void,
): string[] {
  if (value === undefined || value === null) return []
  if (!isMap(value)) {
    refuse('volumes', 'value', shown(value))
    return []
  }
  for (const [name, volume] of Object.entries(value)) {
    if (volume === null) continue
    if (!isMap(volume)) refuse(pathOf('volumes', name), 'value', shown(volume))
    else
      for (const [key, each] of Object.entries(volume))
        if (key === 'driver' ? each !== 'local' : key !== 'name' && !key.startsWith('x-'))
          refuse(pathOf('volumes', name, key), 'unsupported')
  }
  return Object.keys(value)
}

/** Programs after those that they depend on. */
function inOrder(programs: readonly ComposeProgram[], { refused }: ServiceContext): ComposeProgram[] {
  const done: ComposeProgram[] = []
  let left = [...programs]
  while (left.length > 0) {
    const next = left.filter(({ after }) => after.every((name) => done.some((one) => one.name === name)))
    if (next.length === 0) {
      refused.push({ path: pathOf('services', left[0]?.name ?? '', 'depends_on'), reason: 'cycle', detail: '' })
      return [...programs]
    }
    done.push(...next)
    left = left.filter((one) => !next.includes(one))
  }
  return done
}
