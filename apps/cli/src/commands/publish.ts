import { setTimeout } from 'node:timers/promises'
import type { Publication } from '@tidenet/contract'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { printResult } from '../output.ts'
import { type AssetPlace, itemAt } from '../places.ts'
import { call } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

const PAGE = 100
/** How long a command waits until the gateways serve what it published; afterwards it goes on without it. */
const READY_MS = 30_000
const ASK_AGAIN_MS = 500

export function addPublishCommands(program: Command): void {
  const { commands: c, arguments: a } = texts
  program
    .command('publish')
    .description(c.publish)
    .argument('<path>', a.path)
    .action(async (path: string) => {
      const storage = signedIn()
      const published = await untilReady(
        storage,
        await call(storage, 'publications.create', await assetAt(storage, path)),
      )
      printResult(published, () => describe(published))
    })
  program
    .command('unpublish')
    .description(c.unpublish)
    .argument('<path>', a.path)
    .action(async (path: string) => {
      const storage = signedIn()
      const entry = await assetAt(storage, path)
      await call(storage, 'publications.remove', entry)
      printResult({ ...entry, published: false }, () => texts.publishing.ended(path))
    })
  program
    .command('published')
    .description(c.published)
    .action(async () => {
      const storage = signedIn()
      const list: Publication[] = []
      for (let page = 1; ; page++) {
        const part = await call(storage, 'publications.list', { page, page_size: PAGE })
        list.push(...part.list)
        if (part.list.length === 0 || list.length >= part.total) break
      }
      printResult({ list, total: list.length }, () =>
        list.length === 0
          ? texts.empty
          : table(
              texts.publishing.columns,
              list.map(({ name, size, state, cid }) => [name, bytes(size), texts.publishing.states[state], cid]),
            ),
      )
    })
}

/** @throws CommandError for a folder, whose files are published one by one */
async function assetAt(storage: Storage, path: string): Promise<{ cid: string; asset_id: number }> {
  const place = await itemAt(storage, path)
  if (place.kind === 'folder') throw new CommandError(texts.usage.publishFolder(place.path), 'usage')
  return entryOf(place)
}

const entryOf = ({ cid, asset }: AssetPlace) => ({ cid, asset_id: asset.UserAssetDetail.AssetID })

async function untilReady(storage: Storage, publication: Publication): Promise<Publication> {
  const { cid, asset_id } = publication
  let current = publication
  for (const end = Date.now() + READY_MS; current.state === 'preparing' && Date.now() < end; ) {
    await setTimeout(ASK_AGAIN_MS)
    const [found] = (await call(storage, 'publications.list', { cid, asset_id })).list
    current = found ?? current
  }
  return current
}

const describe = ({ url, cid, state }: Publication): string =>
  [...(url === '' ? [] : [url]), `ipfs://${cid}`, ...(state === 'ready' ? [] : [texts.publishing.notYet[state]])].join(
    '\n',
  )
