import type { Order, OrderPayment } from '@tidenet/contract'
import { CLUSTERS, type ClusterName, GPUS_MAX } from '@tidenet/contract/price'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes, moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { wholeNumber } from '../numbers.ts'
import { printMessage, printResult } from '../output.ts'
import { call } from '../portal.ts'
import { signedIn } from '../session.ts'
import { prompt } from '../terminal.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

interface NewOrder {
  cpu?: string
  ram?: string
  storage?: string
  hours?: string
  region?: string
  gpus?: string
}

const PAGE = 100

/** Orders are paid by a wallet. The command line has none, so it says where to pay. */
export function addOrderCommands(program: Command): void {
  const t = texts.orders
  const order = program.command('order').description(texts.commands.order)

  order
    .command('list')
    .alias('ls')
    .description(t.list)
    .action(async () => {
      const storage = signedIn()
      const { list, total } = await call(storage, 'orders.history', { page: 1, size: PAGE })
      const symbol = list.length === 0 ? '' : await symbolOf(storage)
      const { headers: h } = t
      printResult({ list, total }, () =>
        list.length === 0
          ? t.none
          : [
              table(
                [h.order, h.state, h.size, h.region, h.price, h.ends, h.workspace],
                list.map((one) => [
                  one.id,
                  t.labels[one.label],
                  sizeOf(one),
                  texts.programs.regions[one.cluster],
                  `${one.price} ${symbol}`,
                  moment(one.expired_at),
                  one.workspace_id || '-',
                ]),
              ),
              ...(total > list.length ? [texts.moreEnd(total - list.length)] : []),
            ].join('\n'),
      )
    })

  order
    .command('show')
    .description(t.show)
    .argument('<order>', t.orderArgument)
    .action(async (text: string) => {
      const storage = signedIn()
      const id = await orderIdOf(storage, text)
      const details = await call(storage, 'orders.details', { id })
      const symbol = await symbolOf(storage)
      printResult(details, () => {
        const { order: one, timers, refund, payments } = details
        const { rows } = t
        const due = payments.find(({ state }) => state === 'open')
        return [
          [rows.state, t.labels[one.label]],
          [rows.size, sizeOf(one)],
          [rows.region, texts.programs.regions[one.cluster]],
          [rows.price, `${one.price} ${symbol}`],
          [rows.workspace, one.workspace_id || '-'],
          [rows.created, moment(one.created_at)],
          [rows.ends, moment(one.expired_at)],
          ...(timers.kept_until ? [[rows.kept, moment(timers.kept_until)]] : []),
          ...(refund ? [[rows.refund, `${refund.exact} ${symbol}`]] : []),
          ...(due ? [[rows.due, `${due.cost} ${due.symbol}`]] : []),
        ]
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')
      })
      if (details.order.actions.includes('pay')) printMessage(t.payAt(pageOf(storage, id)))
    })

  order
    .command('buy')
    .description(t.buy)
    .requiredOption('--cpu <cores>', t.cpuOption)
    .requiredOption('--ram <GiB>', t.ramOption)
    .requiredOption('--storage <GiB>', t.storageOption)
    .requiredOption('--hours <hours>', t.hoursOption)
    .option('--region <region>', t.regionOption(CLUSTERS.join(', ')))
    .option('--gpus <count>', t.gpusOption(GPUS_MAX))
    .action(async (options: NewOrder) => {
      const region = CLUSTERS.find((name) => name === (options.region ?? CLUSTERS[0]))
      if (!region) throw new CommandError(t.badRegion(CLUSTERS.join(', ')), 'usage')
      const storage = signedIn()
      const { id } = await call(storage, 'orders.create', {
        cpu: wholeNumber('--cpu', options.cpu ?? '', 1),
        ram: wholeNumber('--ram', options.ram ?? '', 1),
        storage: wholeNumber('--storage', options.storage ?? '', 1),
        duration: wholeNumber('--hours', options.hours ?? '', 1),
        ...(options.gpus !== undefined && { gpus: wholeNumber('--gpus', options.gpus, 0) }),
        kub_name: region satisfies ClusterName,
      })
      printPayment(storage, await call(storage, 'orders.payment', { id }))
    })

  order
    .command('renew')
    .description(t.renew)
    .argument('<order>', t.orderArgument)
    .option('--hours <hours>', t.totalOption)
    .action(async (text: string, { hours }: { hours?: string }) => {
      const storage = signedIn()
      const duration = hours === undefined ? undefined : wholeNumber('--hours', hours, 2)
      const id = await orderIdOf(storage, text)
      printPayment(storage, await call(storage, 'orders.payment', { id, ...(duration !== undefined && { duration }) }))
    })

  order
    .command('end')
    .description(t.end)
    .argument('<order>', t.orderArgument)
    .option('-y, --yes', texts.options.yes)
    .action(async (text: string, { yes }: { yes?: true }) => {
      const storage = signedIn()
      const id = await orderIdOf(storage, text)
      const { order: one, refund } = await call(storage, 'orders.details', { id })
      const isUnpaid = one.actions.includes('cancel')
      if (!isUnpaid && !one.actions.includes('terminate')) throw new CommandError(t.cannotEnd(t.labels[one.label]))
      const question = isUnpaid ? t.askCancel(id) : t.askEnd(id, refund?.exact ?? '0')
      if (!yes && !/^(y|是)/i.test(await prompt(question, { instead: '--yes' })))
        throw new CommandError(texts.cancelled, 'cancelled')
      await call(storage, isUnpaid ? 'orders.cancel' : 'orders.terminate', { id })
      printResult({ id, refund: isUnpaid ? '' : (refund?.exact ?? '') }, () =>
        isUnpaid ? t.cancelled(id) : t.ended(id, refund?.exact ?? '0'),
      )
    })
}

/** The full number of an order, from an unambiguous start of it. @throws CommandError 'notFound', 'usage' */
async function orderIdOf(storage: Storage, text: string): Promise<string> {
  const t = texts.orders
  const matches: string[] = []
  for (let page = 1; ; page += 1) {
    const { list, total } = await call(storage, 'orders.history', { page, size: PAGE })
    for (const { id } of list) {
      if (id === text) return id
      if (text !== '' && id.startsWith(text)) matches.push(id)
    }
    if (list.length === 0 || page * PAGE >= total) break
  }
  const [first, ...more] = matches
  if (first === undefined) throw new CommandError(t.noSuchOrder(text), 'notFound')
  if (more.length > 0) throw new CommandError(t.severalOrders(text), 'usage')
  return first
}

/** Of the coins that orders are paid with. */
const symbolOf = async (storage: Storage): Promise<string> => (await call(storage, 'orders.offers', {})).token.symbol

const sizeOf = ({ cpu, ram, storage, duration, gpus }: Order): string =>
  texts.orders.size(cpu, bytes(ram * 1024 ** 3), bytes(storage * 1024 ** 3), duration, gpus)

const pageOf = (storage: Storage, id: string): string => `${storage.api.url}/mycenter?order=${encodeURIComponent(id)}`

function printPayment(storage: Storage, payment: OrderPayment): void {
  const { order_id: id, cost, symbol, duration, payer, expires_at } = payment
  const page = pageOf(storage, id)
  printResult({ ...payment, page }, () =>
    texts.orders.toPay({ id, cost: `${cost} ${symbol}`, hours: duration, payer, until: moment(expires_at), page }),
  )
}
