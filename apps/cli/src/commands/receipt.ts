import { writeFile } from 'node:fs/promises'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { printLine, printResult, reasonOf } from '../output.ts'
import { itemAt } from '../places.ts'
import { call, dataOf, explainNotFound } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

/** Numbers of receipts, as `node earnings` shows them. A file of this name is `/123`. */
const NUMBER = /^[1-9]\d{0,14}$/
/** Ids of orders are UUIDs without or with hyphens; paths and CIDs never look like this. */
const ORDER = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/

export function addReceiptCommand(program: Command): void {
  program
    .command('receipt')
    .description(texts.commands.receipt)
    .argument('<what>', texts.arguments.receiptOf)
    .option('--out <file>', texts.options.receiptOut)
    .action(async (what: string, { out }: { out?: string }) => {
      const storage = signedIn()
      const ids = await idsOf(storage, what)
      if (ids.length === 0) throw new CommandError(texts.noReceipt(what), 'notFound')
      if (out !== undefined && ids.length > 1) throw new CommandError(texts.usage.receiptOutOne(ids.length), 'usage')
      const list: { id: number; path: string }[] = []
      for (const id of ids) {
        const text = `${JSON.stringify(await receiptFile(storage, id), undefined, 2)}\n`
        if (out === '-') process.stdout.write(text)
        else list.push({ id, path: await save(out ?? `receipt-${id}.json`, text) })
      }
      if (out !== '-') printResult({ list }, () => '')
    })
}

async function idsOf(storage: Storage, what: string): Promise<number[]> {
  if (NUMBER.test(what)) return [Number(what)]
  return ORDER.test(what) ? receiptsOfOrder(storage, what) : receiptOfFile(storage, what)
}

async function receiptFile(storage: Storage, id: number) {
  const result = await storage.receipts.get(id)
  try {
    return dataOf(result)
  } catch (error) {
    throw explainNotFound(error, texts.noSuchReceipt(id))
  }
}

async function save(path: string, text: string): Promise<string> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new CommandError(reasonOf(error))
  }
  printLine(texts.receiptSaved(path))
  return path
}

/** Receipts of payments and of the refund, oldest first. */
async function receiptsOfOrder(storage: Storage, id: string): Promise<number[]> {
  const { order, payments } = await call(storage, 'orders.details', { id })
  return [...payments.map(({ receipt_id }) => receipt_id), order.refund_receipt_id]
    .filter((receipt) => receipt !== null)
    .sort((a, b) => a - b)
}

async function receiptOfFile(storage: Storage, path: string): Promise<number[]> {
  const place = await itemAt(storage, path)
  if (place.kind === 'folder') throw new CommandError(texts.usage.receiptOfFolder(place.path), 'usage')
  const { receipt_id } = place.asset.UserAssetDetail
  return receipt_id === null ? [] : [receipt_id]
}
