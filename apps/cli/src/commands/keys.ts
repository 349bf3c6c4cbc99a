import type { Command } from 'commander'
import { dataOf, date, show, table } from '../output.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description(texts.commands.key)

  key
    .command('create')
    .description(texts.commands.keyCreate)
    .argument('<name>')
    .option('--permissions <list>', texts.options.permissions)
    .action(async (name: string, options: { permissions?: string }, command: Command) => {
      const perms = options.permissions?.split(',').map((permission) => permission.trim())
      const made = dataOf(
        await signedIn().api.call('apiKeys.create', {
          key_name: name,
          type: perms ? 'normal' : 'admin',
          ...(perms && { perms }),
        }),
      )
      show(command.optsWithGlobals().json, made, () => `${made.key}\n${texts.keyOnce}`)
    })

  key
    .command('ls')
    .description(texts.commands.keyList)
    .action(async (_: object, command: Command) => {
      const { list } = dataOf(await signedIn().api.call('apiKeys.list', {}))
      const { headers } = texts
      show(command.optsWithGlobals().json, list, () =>
        list.length === 0
          ? texts.empty
          : table(
              [headers.name, headers.kind, headers.permissions, headers.date, headers.used],
              list.map((row) => [
                row.name,
                row.type,
                row.perms.join(' '),
                date(row.time),
                row.last_used ? date(row.last_used) : '-',
              ]),
            ),
      )
    })

  key
    .command('rm')
    .description(texts.commands.keyRemove)
    .argument('<name>')
    .action(async (name: string, _: object, command: Command) => {
      dataOf(await signedIn().api.call('apiKeys.remove', { key_name: name }))
      show(command.optsWithGlobals().json, {}, () => texts.done)
    })
}
