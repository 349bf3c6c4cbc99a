import type { EarnedAmounts } from '@tidenet/contract'
import type { Command } from 'commander'
import { bytes, points, utc } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { printResult } from '../output.ts'
import { call, explainNotFound } from '../portal.ts'
import { openStorage } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

/** Devices that are shown: those that earned most in a month. */
const SIZE = 100
const DAY = /^\d{4}-\d{2}-\d{2}$/

const sum = ({ traffic, storage }: EarnedAmounts): string => points(traffic + storage)

export function addEarningsCommand(node: Command): void {
  node
    .command('earnings')
    .description(texts.commands.nodeEarnings)
    .option('--device <id>', texts.options.device)
    .option('--day <date>', texts.options.day)
    .action(async ({ device, day }: { device?: string; day?: string }) => {
      if (device === undefined) {
        if (day !== undefined) throw new CommandError(texts.usage.dayOfDevice, 'usage')
        return showDevices()
      }
      const date = day ?? new Date().toISOString().slice(0, 10)
      if (!DAY.test(date)) throw new CommandError(texts.usage.badDay, 'usage')
      return showDay(device, date)
    })
}

async function showDevices(): Promise<void> {
  const data = await call(openStorage(), 'earnings.summary', { page: 1, size: SIZE })
  const { headers } = texts
  printResult(data, () => {
    if (data.list.length === 0) return texts.noDevices
    const periods = (name: string, of: Record<'today' | 'yesterday' | 'month' | 'total', EarnedAmounts>) => [
      name,
      sum(of.today),
      sum(of.yesterday),
      sum(of.month),
      sum(of.total),
    ]
    return [
      table(
        [headers.name, headers.today, headers.yesterday, headers.month, headers.total, 'ID'],
        [
          ...data.list.map((device) => [...periods(device.name || '-', device), device.node_id]),
          [...periods(texts.allDevices, data), ''],
        ],
      ),
      texts.earnedPoints(String(data.points.not_withdrawn), points(data.running.traffic + data.running.storage)),
    ].join('\n')
  })
}

async function showDay(device: string, day: string): Promise<void> {
  const data = await call(openStorage(), 'earnings.statement', { node_id: device, day }).catch((error) => {
    throw explainNotFound(error, texts.noSuchDevice(device))
  })
  const { headers } = texts
  printResult(data, () =>
    data.hours.length === 0
      ? texts.empty
      : table(
          [headers.hour, headers.traffic, headers.storage, headers.receipt, headers.reason],
          data.hours.map(({ hour, traffic, storage, receipt, hindrance, unearned }) => [
            utc(hour),
            points(traffic),
            points(storage),
            receipt === null ? texts.running : String(receipt),
            hindrance === null
              ? unearned
                  .map(({ kind, bytes: count }) => texts.unearnedBytes(bytes(count), texts.unearned[kind]))
                  .join(', ')
              : texts.hindrances[hindrance],
          ]),
        ),
  )
}
