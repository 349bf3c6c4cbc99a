import type { ConsoleWorkload, Input, RouteOf } from '@tidenet/contract'
import type { Variable } from './env-fields.tsx'
import { joinCommand, splitCommand } from './parse.ts'

type Changes = Omit<Input<RouteOf<'clusters.change'>>, 'id'>

/** Only the changed settings. An existing variable with an empty value keeps its value. */
export function changesOf(
  { image, command, env, ports }: Pick<ConsoleWorkload, 'image' | 'command' | 'env' | 'ports'>,
  form: {
    image: string
    /** As a line; empty: the image's own. */
    command: string
    env: readonly Pick<Variable, 'name' | 'value' | 'existing'>[]
    ports: readonly number[]
  },
): Changes {
  const rows = form.env.filter(({ name }) => name !== '')
  const set = rows.filter(({ value, existing }) => !existing || value !== '')
  const unset = env.filter((name) => !rows.some((row) => row.name === name))
  const isSame = form.ports.length === ports.length && ports.every(({ port }) => form.ports.includes(port))
  const args = splitCommand(form.command)
  return {
    ...(form.image !== '' && form.image !== image && { image: form.image }),
    ...(joinCommand(args) !== joinCommand(command) && { command: args }),
    ...(set.length > 0 && { env: Object.fromEntries(set.map(({ name, value }) => [name, value])) }),
    ...(unset.length > 0 && { unset }),
    ...(!isSame && { ports: [...form.ports] }),
  }
}

export const isUnchanged = (changes: Changes): boolean => Object.keys(changes).length === 0
