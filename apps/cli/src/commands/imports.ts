import type { ImportItem } from '@tidenet/contract'
import { cidOfAddress } from '@tidenet/contract/cid-of-address'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { exitCancelled, interruptible } from '../interrupt.ts'
import { printMessage, printResult } from '../output.ts'
import { folderAt, makeFolders } from '../places.ts'
import { call } from '../portal.ts'
import { followProgress } from '../progress.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { plain, table } from '../width.ts'

interface Target {
  to: string
  parents?: true
  wait: boolean
}

const POLL_MS = 1000
const PAGE = 100

export function addImportCommands(program: Command): void {
  const { commands: c, arguments: a, options: o } = texts
  const group = program.command('import').description(c.import)
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option('--to <folder>', o.importTo, '/')
      .option('-p, --parents', o.parents)
      .option('--no-wait', o.importNoWait)

  command('url', c.importUrl)
    .argument('<address>', a.importAddress)
    .option('--name <name>', o.importName)
    .action(async (url: string, options: Target & { name?: string }) => {
      const storage = signedIn()
      const group_id = await folderFor(storage, options)
      const { id } = await call(storage, 'imports.url', { url, name: options.name ?? '', group_id })
      await follow(storage, id, options)
    })
  command('cid', c.importCid)
    .argument('<cid>', a.importCid)
    .option('--name <name>', o.importName)
    .action(async (address: string, options: Target & { name?: string }) => {
      const storage = signedIn()
      const group_id = await folderFor(storage, options)
      const { id } = await call(storage, 'imports.cid', {
        cid: cidOfAddress(address),
        name: options.name ?? '',
        group_id,
      })
      await follow(storage, id, options)
    })
  command('s3', c.importS3)
    .argument('<endpoint>', a.importEndpoint)
    .argument('<bucket>', a.importBucket)
    .option('--prefix <prefix>', o.importPrefix, '')
    .option('--region <region>', o.importRegion, 'us-east-1')
    .action(async (endpoint: string, bucket: string, options: Target & { prefix: string; region: string }) => {
      const { id: keyId, secret } = credentials()
      const storage = signedIn()
      const group_id = await folderFor(storage, options)
      if (group_id === 0) throw new CommandError(texts.usage.importFolder, 'usage')
      const { prefix, region } = options
      const source = { endpoint, bucket, prefix, region, access_key_id: keyId, secret_access_key: secret }
      const { id } = await call(storage, 'imports.s3', { ...source, group_id })
      await follow(storage, id, options)
    })

  const list = program
    .command('imports')
    .description(c.imports)
    .action(async () => {
      const storage = signedIn()
      const found = await call(storage, 'imports.list', { page_size: PAGE })
      printResult(found, () => (found.list.length === 0 ? texts.empty : tableOf(found.list)))
    })
  list
    .command('cancel')
    .description(c.importCancel)
    .argument('<id>', a.importId)
    .action(async (id: string) => {
      await call(signedIn(), 'imports.cancel', { id })
      printResult({ id }, () => texts.importCancelled(id))
    })
  list
    .command('retry')
    .description(c.importRetry)
    .argument('<id>', a.importId)
    .action(async (id: string) => {
      const secret = process.env.AWS_SECRET_ACCESS_KEY
      await call(signedIn(), 'imports.retry', { id, ...(secret && { secret_access_key: secret }) })
      printResult({ id }, () => texts.importRetried(id))
    })
}

/** Never as arguments, which other users of the machine can read. */
function credentials(): { id: string; secret: string } {
  const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: secret = '' } = process.env
  if (id === '' || secret === '') throw new CommandError(texts.usage.importKeys, 'usage')
  return { id, secret }
}

const folderFor = async (storage: Storage, { to, parents }: Target): Promise<number> =>
  (await (parents ? makeFolders(storage, to) : folderAt(storage, to))).id

/** Shows the progress of an import until it ends. It goes on if this program is interrupted. */
async function follow(storage: Storage, id: number, { wait }: Target): Promise<void> {
  if (!wait) return printResult({ id }, () => texts.importBegun(id))
  const progress = followProgress(`#${id}`)
  const onInterrupt = () => {
    progress.end()
    exitCancelled(texts.importGoesOn(id))
  }
  const ended = async () => {
    for (let before = 0, told = ''; ; ) {
      const found = await importOf(storage, id)
      if (found.ended !== null) return found
      // Once, not after every try.
      if (found.error !== '' && found.error !== told) printMessage(`#${id}: ${found.error}`)
      told = found.error || told
      const state = found.state === 'queued' ? 'waiting' : 'downloading'
      const { received, total } = found
      progress.show({ state, loaded: received, total: total ?? 0, speed: Math.max(0, received - before) })
      before = received
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const found = await interruptible(onInterrupt, ended).finally(() => progress.end())
  finish(found)
}

function finish(found: ImportItem): void {
  const problems = found.problems.map(({ key, error }) => `  ${plain(key)}: ${error}`)
  if (found.state !== 'done')
    throw new CommandError([found.error || texts.importCancelled(String(found.id)), ...problems].join('\n'), 'failed', {
      more: { import: found },
    })
  const size = bytes(found.received)
  printResult(found, () => {
    if (found.kind !== 's3') return texts.importDone(found.cid, size)
    const archived = found.archived > 0 ? [texts.importArchived(found.archived), ...problems] : []
    return [texts.importCopied(found.done, found.skipped, size), ...archived].join('\n')
  })
}

/** New imports are on the first page, unless the account begins very many. */
async function importOf(storage: Storage, id: number): Promise<ImportItem> {
  for (let page = 1; ; page++) {
    const { list } = await call(storage, 'imports.list', { page, page_size: PAGE })
    const found = list.find((one) => one.id === id)
    if (found) return found
    if (list.length < PAGE) throw new CommandError(texts.noSuchImport(String(id)), 'notFound')
  }
}

function tableOf(list: readonly ImportItem[]): string {
  const { headers: h } = texts
  return table(
    [h.id, h.state, h.size, h.source, h.hint],
    list.map((one) => [
      String(one.id),
      texts.importStates[one.state],
      bytes(one.received),
      plain(one.source),
      one.error,
    ]),
  )
}
