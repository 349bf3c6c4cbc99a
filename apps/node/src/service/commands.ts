import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { type NodeKind, nodeIdOf } from '@tidenet/contract'
import { StartError } from '@tidenet/daemon/start-error'
import { readNodeConfig } from '../config.ts'
import { readFlags } from '../flags.ts'
import { describeLeaving } from '../leaving/command.ts'
import { describeLimits } from '../limits/command.ts'
import { readUpdateState, TRIES_MAX } from '../updates/update-state.ts'
import { type Machine, managerOf, type ServiceManager } from './managers.ts'
import type { Scope, ServiceSpec } from './service-files.ts'
import { readStartSettings, writeStartSettings } from './start-settings.ts'
import { textsOf } from './texts.ts'

export const COMMANDS = ['install', 'uninstall', 'status'] as const
export type CommandName = (typeof COMMANDS)[number]

/** What the commands do to a machine; tests replace it. */
export interface Actions {
  machine: Machine
  /** Absolute command that starts the service. */
  program: (data: string) => readonly string[]
  /** Puts a single executable there: in the data folder, where it may replace itself. */
  place: (data: string) => Promise<void>
  print: (line: string) => void
  /** Runs a command. @returns its exit code and what it printed */
  run: (command: readonly string[]) => { status: number | null; output: string }
  /** The content of a file; undefined if there is none. */
  read: (path: string) => string | undefined
  write: (path: string, content: string | Uint8Array) => void
  remove: (path: string) => void
  /** Gives a folder and what is in it to an account. */
  give: (folder: string, account: string) => void
}

const OPTIONS = ['--system', '--user', '--dry-run', '--run-as'] as const

/**
 * Runs `install`, `uninstall` or `status`.
 * @throws StartError with what to do instead
 */
export async function runCommand(name: CommandName, argv: readonly string[], actions: Actions): Promise<void> {
  const { own, rest } = splitArguments(argv)
  const isDry = own.has('--dry-run')
  const scope: Scope = own.has('--system') ? 'system' : 'user'
  const { machine } = actions
  const t = textsOf(machine.env)
  const manager = managerOf(machine, scope)
  if (!manager) throw new StartError(t.noPlatform(machine.platform))
  const account = own.get('--run-as')
  if (account !== undefined && (scope === 'user' || machine.platform === 'win32')) throw new StartError(t.noRunAs)
  const flags = readFlags(rest)
  if ('print' in flags) return actions.print(flags.print)
  if (name === 'install') await install({ actions, manager, scope, account, isDry, env: flags.env })
  else if (name === 'uninstall') uninstall(actions, manager, scope, isDry)
  else await status(actions, manager, flags.env)
}

async function install(parts: {
  actions: Actions
  manager: ServiceManager
  scope: Scope
  account: string | undefined
  isDry: boolean
  env: Record<string, string>
}): Promise<void> {
  const { actions, manager, scope, account, isDry } = parts
  const { machine, print } = actions
  const t = textsOf(machine.env)
  const paths = machine.platform === 'win32' ? win32 : posix
  const ofEnvironment = Object.entries(machine.env).filter(([key]) => /^TIDENET_(NODE_|SERVER$|JOIN_TOKEN$)/.test(key))
  const asked: Record<string, string> = { ...(Object.fromEntries(ofEnvironment) as object), ...parts.env }
  if (asked.TIDENET_NODE_DATA) asked.TIDENET_NODE_DATA = paths.resolve(asked.TIDENET_NODE_DATA)
  const env = { ...(asked.TIDENET_NODE_DATA ? readStartSettings(asked.TIDENET_NODE_DATA) : {}), ...asked }
  // Refuses now what the service would refuse at each start.
  const { data } = readNodeConfig(env)
  const spec: ServiceSpec = { command: [...actions.program(data), '--data', data], data, scope, account }
  const content = manager.write(spec)
  if (machine.platform === 'linux' && !machine.hasSystemd && !isDry)
    throw new StartError(t.noSystemd(spec.command.join(' ')))
  if (scope === 'system') requireSystem(actions, account, isDry)
  const before = actions.read(manager.file)
  if (before !== undefined && machine.platform !== 'win32' && before !== content && !before.includes(data))
    throw new StartError(t.otherFolder(manager.file))
  if (isDry) {
    print(t.wouldWrite(manager.file))
    print(typeof content === 'string' ? content : Buffer.from(content).toString('utf16le').slice(1))
    print(t.wouldRun)
    for (const command of manager.start) print(`  ${command.join(' ')}`)
    return
  }
  await actions.place(data)
  await writeStartSettings(data, env)
  if (account !== undefined) actions.give(data, account)
  try {
    actions.write(manager.file, content)
  } catch (error) {
    throw new StartError(t.cannotWrite(manager.file, (error as Error).message))
  }
  // launchd does not replace what it runs.
  if (machine.platform === 'darwin' && before !== undefined) for (const command of manager.stop) actions.run(command)
  for (const command of manager.start) requireRun(actions, command)
  print(t.installed(manager.file))
  if (machine.platform === 'linux' && scope === 'user') {
    const { output } = actions.run(['loginctl', 'show-user', machine.account, '--property=Linger', '--value'])
    if (output.trim() !== 'yes') print(t.lingering(machine.account))
  }
}

function requireSystem({ machine, run }: Actions, account: string | undefined, isDry: boolean): void {
  const t = textsOf(machine.env)
  if (machine.platform === 'win32') return
  if (!account || account === 'root') throw new StartError(t.needsAccount)
  if (isDry) return
  if (machine.uid !== 0) throw new StartError(t.needsRoot)
  if (run(['id', '-u', account]).status !== 0) throw new StartError(t.noAccount(account))
}

function uninstall(actions: Actions, manager: ServiceManager, scope: Scope, isDry: boolean): void {
  const { machine, print } = actions
  const t = textsOf(machine.env)
  if (actions.read(manager.file) === undefined) {
    print(t.notInstalled)
    return
  }
  if (isDry) {
    print(t.wouldRun)
    for (const command of [...manager.stop, ...manager.forget]) print(`  ${command.join(' ')}`)
    print(t.wouldRemove(manager.file))
    return
  }
  if (scope === 'system' && machine.platform !== 'win32' && machine.uid !== 0) throw new StartError(t.needsRoot)
  // It may not run.
  for (const command of manager.stop) actions.run(command)
  actions.remove(manager.file)
  for (const command of manager.forget) actions.run(command)
  print(t.removed(manager.file))
}

/** Prints what is known without asking the network. */
async function status(actions: Actions, manager: ServiceManager, env: Record<string, string>): Promise<void> {
  const { machine, print } = actions
  const t = textsOf(machine.env)
  const isInstalled = actions.read(manager.file) !== undefined
  print(isInstalled ? t.installedAt(manager.file) : t.notInstalled)
  if (isInstalled) print(actions.run(manager.isRunning).status === 0 ? t.running : t.stopped)
  const data = env.TIDENET_NODE_DATA || machine.env.TIDENET_NODE_DATA || dataOf(actions.read(manager.file) ?? '')
  if (!data) throw new StartError(t.dataNeeded)
  const settings = { ...readStartSettings(data), ...env }
  if (settings.TIDENET_SERVER) print(t.server(settings.TIDENET_SERVER))
  const id = identityOf(data, (settings.TIDENET_NODE_KIND as NodeKind | undefined) ?? 'edge')
  print(id ? t.identity(id) : t.noIdentity)
  for (const line of await describeLimits(data, machine.env)) print(line)
  for (const line of await describeLeaving(data, machine.env)) print(line)
  const { failed } = await readUpdateState(data)
  if (failed) print(t.notUpdated(failed.version, t.problems[failed.problem], failed.tries >= TRIES_MAX))
}

/** The installed service; undefined: none, or its file does not name a data folder plainly. */
export function findService({
  machine,
  read,
}: Pick<Actions, 'machine' | 'read'>): { data: string; scope: Scope; account: string | undefined } | undefined {
  for (const scope of ['user', 'system'] as const) {
    const text = read(managerOf(machine, scope)?.file ?? '') ?? ''
    const data = dataOf(text)
    if (data) return { data, scope, account: accountOf(text) }
  }
  return undefined
}

/** The data folder that the file of a service names. */
function dataOf(file: string): string | undefined {
  const unit = /"--data" "((?:[^"\\]|\\.)*)"/.exec(file)?.[1]
  if (unit !== undefined) return unit.replace(/\\(.)/g, '$1').replace(/%%/g, '%').replace(/\$\$/g, '$')
  const plist = /<string>--data<\/string>\s*<string>(.*?)<\/string>/.exec(file)?.[1]
  if (plist !== undefined) return fromXml(plist)
  // Tasks of Windows are UTF-16.
  const task = /<Arguments>--data (.*?)<\/Arguments>/.exec(file.replace(/\0/g, ''))?.[1]
  return task === undefined ? undefined : fromXml(task).replace(/^"(.*)"$/, '$1')
}

const accountOf = (file: string): string | undefined =>
  /^User=(.+)$/m.exec(file)?.[1] ?? /<key>UserName<\/key>\s*<string>(.*?)<\/string>/.exec(file)?.[1]

const fromXml = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

function identityOf(data: string, kind: NodeKind): string | undefined {
  try {
    const publicKey =
      createPublicKey(createPrivateKey(readFileSync(`${data}/node.key`))).export({ format: 'jwk' }).x ?? ''
    return nodeIdOf(kind, createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex'))
  } catch {
    return undefined
  }
}

function requireRun({ run, machine }: Actions, command: readonly string[]): void {
  const { status, output } = run(command)
  if (status !== 0) throw new StartError(textsOf(machine.env).failed(command.join(' '), output.trim()))
}

function splitArguments(argv: readonly string[]): { own: Map<string, string>; rest: string[] } {
  const own = new Map<string, string>()
  const rest: string[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (!(OPTIONS as readonly string[]).includes(word)) rest.push(word)
    else if (word !== '--run-as') own.set(word, '')
    else {
      const value = argv[at + 1]
      if (!value || value.startsWith('-')) throw new StartError('--run-as needs <account>.')
      own.set(word, value)
      at += 1
    }
  }
  if (own.has('--system') && own.has('--user')) throw new StartError('Use either --user or --system.')
  return { own, rest }
}
