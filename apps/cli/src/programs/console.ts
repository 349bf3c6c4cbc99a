import type { ConsoleWorkload, ConsoleWorkspace } from '@tidenet/contract'
import { createStorage, type Storage } from '@tidenet/storage'
import { CommandError } from '../command-error.ts'
import { call } from '../portal.ts'
import { lang, texts } from '../texts.ts'

/** A session of the container console, which ends with the session or API key of this command. */
export async function openConsole(storage: Storage): Promise<Storage> {
  const { token } = await call(storage, 'clusters.session', {})
  return createStorage({
    url: storage.api.url,
    token: '',
    lang,
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...(init?.headers as object), Authorization: `Bearer ${token}` } }),
  })
}

export const listWorkspaces = async (console: Storage): Promise<ConsoleWorkspace[]> =>
  (await call(console, 'clusters.workspaces', {})).list

/** A workspace by its id, or an unambiguous start of it. @throws CommandError 'notFound' */
export function findWorkspace(list: readonly ConsoleWorkspace[], text: string): ConsoleWorkspace {
  const found = list.filter(({ id }) => id === text)
  const [first, ...more] = found.length > 0 ? found : list.filter(({ id }) => text !== '' && id.startsWith(text))
  if (!first) throw new CommandError(texts.programs.noSuchWorkspace(text), 'notFound')
  if (more.length > 0) throw new CommandError(texts.programs.severalWorkspaces(text), 'usage')
  return first
}

/**
 * A program of a workspace by its name or id.
 * @param text may be missing if there is only one
 * @throws CommandError 'notFound', 'usage'
 */
export function findProgram({ id, workloads }: ConsoleWorkspace, text: string | undefined): ConsoleWorkload {
  if (text === undefined) {
    const [only, ...more] = workloads
    if (!only) throw new CommandError(texts.programs.noPrograms(id), 'notFound')
    if (more.length > 0)
      throw new CommandError(texts.programs.whichProgram(workloads.map(({ name }) => name).join(', ')), 'usage')
    return only
  }
  const found = workloads.find(({ name, id: own }) => name === text || own === text)
  if (!found) throw new CommandError(texts.programs.noSuchProgram(text, id), 'notFound')
  return found
}

/** A program, its workspace, and the console that they were found in. */
export async function programAt(storage: Storage, workspace: string, name: string | undefined) {
  const console = await openConsole(storage)
  const space = findWorkspace(await listWorkspaces(console), workspace)
  return { console, space, program: findProgram(space, name) }
}

/** Why a program does not run, and what to do; undefined if it runs. */
export function notRunning(
  { id, state: spaceState }: Pick<ConsoleWorkspace, 'id' | 'state'>,
  { name, state, failure, exit_code: code, note }: ConsoleWorkload,
  url: string,
): string | undefined {
  if (state === 'running') return undefined
  const { down } = texts.programs
  if (spaceState === 'suspended') return down.ended(id)
  if (state === 'starting') return down.starting(name)
  if (failure === '') return down.stopped(name, `${url}/console`)
  return [
    `${down.failed(name)} ${down.causes[failure]}`,
    code !== null && code !== 0 && down.exitCode(code),
    note !== '' && down.note(note),
    down.seeLog(`tidenet logs ${id} ${name}`, `${url}/console`),
  ]
    .filter(Boolean)
    .join('\n')
}

/** @throws CommandError that says why the program does not run */
export function requireRunning(storage: Storage, space: ConsoleWorkspace, program: ConsoleWorkload): void {
  const reason = notRunning(space, program, storage.api.url)
  const { state, failure, exit_code, note } = program
  if (reason !== undefined) throw new CommandError(reason, 'failed', { more: { state, failure, exit_code, note } })
}
