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

/** A program, and the console that it was found in. */
export async function programAt(storage: Storage, workspace: string, name: string | undefined) {
  const console = await openConsole(storage)
  const program = findProgram(findWorkspace(await listWorkspaces(console), workspace), name)
  return { console, program }
}
