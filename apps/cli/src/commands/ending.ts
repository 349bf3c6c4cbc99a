import { FILES_END_DAYS } from '@tidenet/contract/constants'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { wholeNumber } from '../numbers.ts'
import { printResult } from '../output.ts'
import { itemAt } from '../places.ts'
import { dataOf } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

interface EndingOptions {
  days?: string
  extend?: true
}

export function addEndingCommand(program: Command): void {
  program
    .command('ending')
    .description(texts.commands.ending)
    .argument('[paths...]', texts.arguments.endingPaths)
    .option('--days <number>', texts.options.endingDays)
    .option('--extend', texts.options.extend)
    .action(async (paths: string[], options: EndingOptions) => {
      if (paths.length > 0 && !options.extend) throw new CommandError(texts.usage.endingPaths, 'usage')
      const storage = signedIn()
      if (options.extend) {
        const ids: number[] = []
        for (const path of paths) {
          const place = await itemAt(storage, path)
          if (place.kind === 'folder') throw new CommandError(texts.usage.endingOfFolder(place.path), 'usage')
          ids.push(place.asset.UserAssetDetail.AssetID)
        }
        const done = dataOf(await storage.endings.extend(paths.length > 0 ? ids : undefined))
        return printResult(done, () => texts.extended(done.extended, done.expires_at.slice(0, 10)))
      }
      const days = wholeNumber('--days', options.days ?? String(FILES_END_DAYS), 1)
      const { list, total } = dataOf(await storage.endings.list({ days }))
      printResult({ list, total }, () =>
        total === 0
          ? texts.nothingEnds(days)
          : [
              table(
                texts.endingHeaders,
                list.map(({ name, size, expires_at }) => [expires_at.slice(0, 10), bytes(size), name]),
              ),
              ...(total > list.length ? [texts.moreEnd(total - list.length)] : []),
            ].join('\n'),
      )
    })
}
