import { setTimeout } from 'node:timers/promises'
import type { Publication } from '@tidenet/contract'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
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
      const item = await publishedAt(storage, path)
      const published = await untilReady(
        storage,
        'folder_id' in item
          ? await call(storage, 'publications.createFolder', item)
          : await call(storage, 'publications.create', item),
      )
      printResult(published, () => describe(published))
    })
  program
    .command('unpublish')
    .description(c.unpublish)
    .argument('<path>', a.path)
    .action(async (path: string) => {
      const storage = signedIn()
      const item = await publishedAt(storage, path)
      if ('folder_id' in item) await call(storage, 'publications.removeFolder', item)
      else await call(storage, 'publications.remove', item)
      printResult({ ...item, published: false }, () => texts.publishing.ended(path))
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

/** An entry, or a folder of single files. */
async function publishedAt(storage: Storage, path: string) {
  const place = await itemAt(storage, path)
  return place.kind === 'folder' ? { folder_id: place.id } : entryOf(place)
}

const entryOf = ({ cid, asset }: AssetPlace) => ({ cid, asset_id: asset.UserAssetDetail.AssetID })

async function untilReady(storage: Storage, publication: Publication): Promise<Publication> {
  const { cid, asset_id, folder_id } = publication
  const item = folder_id > 0 ? { folder_id } : { cid, asset_id }
  let current = publication
  for (const end = Date.now() + READY_MS; current.state === 'preparing' && Date.now() < end; ) {
    await setTimeout(ASK_AGAIN_MS)
    const [found] = (await call(storage, 'publications.list', item)).list
    current = found ?? current
  }
  return current
}

const describe = ({ url, cid, state }: Publication): string =>
  [
    ...(url === '' ? [] : [url]),
    ...(cid === '' ? [] : [`ipfs://${cid}`]),
    ...(state === 'ready' ? [] : [texts.publishing.notYet[state]]),
  ].join('\n')
