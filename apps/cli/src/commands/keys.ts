import { PERMISSIONS, type Permission } from '@tidenet/contract/route'
import type { Command } from 'commander'
import { moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { printMessage, printResult } from '../output.ts'
import { call } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description(texts.commands.key)

  key
    .command('create')
    .description(texts.commands.keyCreate)
    .argument('<name>', texts.arguments.keyName)
    .option('--permissions <list>', texts.options.permissions)
    .action(async (name: string, options: { permissions?: string }) => {
      const perms = options.permissions === undefined ? undefined : readPermissions(options.permissions)
      const made = await call(signedIn(), 'apiKeys.create', {
        key_name: name,
        type: perms ? 'normal' : 'admin',
        ...(perms && { perms }),
      })
      printResult(made, () => made.key)
      printMessage(texts.keyOnce)
    })

  key
    .command('ls')
    .description(texts.commands.keyList)
    .action(async () => {
      const { list } = await call(signedIn(), 'apiKeys.list', {})
      const { headers } = texts
      printResult({ list, total: list.length }, () =>
        list.length === 0
          ? texts.empty
          : table(
              [headers.name, headers.permissions, headers.date, headers.used],
              list.map(({ name, type, perms, time, last_used }) => [
                name,
                type === 'admin' ? texts.allPermissions : perms.join(' '),
                moment(time),
                last_used ? moment(last_used) : '-',
              ]),
            ),
      )
    })

  key
    .command('rm')
    .description(texts.commands.keyRemove)
    .argument('<name>', texts.arguments.keyName)
    .action(async (name: string) => {
      await call(signedIn(), 'apiKeys.remove', { key_name: name })
      printResult({ name }, () => texts.keyRemoved(name))
    })
}

function readPermissions(list: string): Permission[] {
  return list.split(',').map((text) => {
    const name = PERMISSIONS.find((permission) => permission === text.trim())
    if (!name) throw new CommandError(texts.usage.badPermission(text.trim(), PERMISSIONS.join(', ')), 'usage')
    return name
  })
}
