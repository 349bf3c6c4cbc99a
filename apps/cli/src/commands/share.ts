import type { LinkTerms, Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { addTermOptions, allLinks, describeLink, readTerms, type TermOptions } from '../links.ts'
import { printResult } from '../output.ts'
import { itemAt, type Place } from '../places.ts'
import { dataOf } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

interface ShareOptions extends TermOptions {
  long?: true
  off?: true
}

export function addShareCommand(program: Command): void {
  const { options: o } = texts
  addTermOptions(program.command('share').description(texts.commands.share).argument('<path>', texts.arguments.path))
    .option('--long', o.longLink)
    .option('--off', o.off)
    .action(async (path: string, options: ShareOptions, command: Command) => {
      const terms = readTerms(options, command)
      refuseMix(options, terms)
      const storage = signedIn()
      const place = await itemAt(storage, path)
      if (options.off) {
        const ended = await endLinks(storage, place, options.long === true)
        return printResult({ shared: false }, () => (ended > 0 ? texts.share.ended : texts.share.isNot)(place.name))
      }
      const id = idOf(place)
      if (options.long) {
        const link = dataOf(await storage.createSharedLink({ id, ...terms }))
        return printResult(link, () => describeLink({ ...link, url: link.short_link, downloads: 0 }))
      }
      const link = dataOf(await storage.links.create({ id, ...entryOf(place), ...terms }))
      const { url, short_pass, expire_time, max_downloads } = link
      printResult({ ...link, short_link: url, expire_at: expire_time }, () =>
        describeLink({ url, short_pass, expire_at: expire_time, downloads: max_downloads, id: link.id }),
      )
    })
}

const idOf = (place: Place): string => (place.kind === 'folder' ? String(place.id) : place.cid)
const entryOf = (place: Place) => (place.kind === 'asset' ? { assetId: place.asset.UserAssetDetail.AssetID } : {})

/** Ends the long link of an item, and unless `longOnly` all its short ones. @returns how many */
async function endLinks(storage: Storage, place: Place, longOnly: boolean): Promise<number> {
  const links = await allLinks(storage, { item: idOf(place) })
  const ending = longOnly ? links.filter(({ form }) => form === 'long') : links
  for (const { form, id } of ending)
    dataOf(await (form === 'long' ? storage.revokeSharedLink({ id }) : storage.links.revoke(id)))
  return ending.length
}

/** Ending a share has no terms; long links have no limit, note or addresses of their own. */
function refuseMix(options: ShareOptions, terms: LinkTerms): void {
  const given = [
    ...(terms.maxDownloads === undefined ? [] : ['--limit']),
    ...(terms.note === undefined ? [] : ['--note']),
    ...(terms.emails === undefined ? [] : ['--for']),
    ...(options.off && terms.expireAt !== undefined ? ['--days'] : []),
    ...(options.off && terms.shortPass !== undefined ? ['--password'] : []),
  ]
  const [first] = given
  if (first && (options.off || options.long))
    throw new CommandError(texts.usage.twoOf(options.off ? '--off' : '--long', first), 'usage')
}
