import { SHARE_PERMANENT, SHORT_PASS } from '@tidenet/contract/constants'
import { isSuccess } from '@tidenet/storage'
import type { Command } from 'commander'
import { moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { wholeNumber } from '../numbers.ts'
import { printResult } from '../output.ts'
import { itemAt } from '../places.ts'
import { dataOf } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { pad, width } from '../width.ts'

interface ShareOptions {
  days?: string
  /** False for `--no-password`. */
  password?: string | false
  off?: true
}

export function addShareCommand(program: Command): void {
  program
    .command('share')
    .description(texts.commands.share)
    .argument('<path>', texts.arguments.path)
    .option('--days <number>', texts.options.days)
    .option('--password <password>', texts.options.password)
    .option('--no-password', texts.options.noPassword)
    .option('--off', texts.options.off)
    .action(async (path: string, options: ShareOptions, command: Command) => {
      const changes = readOptions(options, command)
      const storage = signedIn()
      const place = await itemAt(storage, path)
      const id = place.kind === 'folder' ? String(place.id) : place.cid
      if (options.off) {
        const known = await storage.api.call('shares.info', { cid: id })
        const { err } = known.code === 0 ? {} : (known.data as { err?: number })
        if (err !== 1000) dataOf(await storage.revokeSharedLink({ id: dataOf(known).link.id }))
        return printResult({ shared: false }, () =>
          (isSuccess(known) ? texts.share.ended : texts.share.isNot)(place.name),
        )
      }
      const link = dataOf(await storage.createSharedLink({ id, ...changes }))
      printResult(link, () => {
        const { share } = texts
        const permanent = link.expire_at >= SHARE_PERMANENT
        const lines: [string, string][] = [
          [share.link, link.short_link],
          [share.password, link.short_pass || share.none],
          [share.expires, permanent ? share.never : moment(link.expire_at * 1000)],
        ]
        const column = Math.max(...lines.map(([head]) => width(head))) + 2
        return lines.map(([head, text]) => pad(head, column) + text).join('\n')
      })
    })
}

/** Options to change; others keep their value. */
function readOptions(options: ShareOptions, command: Command) {
  const { days, off } = options
  // With an option `--no-password`, Commander sets `password` to true by default.
  const password = command.getOptionValueSource('password') === 'cli' ? options.password : undefined
  if (off && (days !== undefined || password !== undefined))
    throw new CommandError(texts.usage.twoOf('--off', days === undefined ? '--password' : '--days'), 'usage')
  if (typeof password === 'string' && !SHORT_PASS.test(password))
    throw new CommandError(texts.usage.badPassword, 'usage')
  const lasting = days === undefined ? undefined : wholeNumber('--days', days, 0)
  return {
    ...(lasting !== undefined && (lasting === 0 ? { expireAt: SHARE_PERMANENT } : { expireAt: lasting, hasDay: true })),
    ...(password !== undefined && { shortPass: password === false ? '' : password }),
  }
}
