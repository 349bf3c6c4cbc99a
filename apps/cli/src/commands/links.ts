import type { ShortLink } from '@tidenet/contract'
import { SHARE_PERMANENT } from '@tidenet/contract/constants'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { addTermOptions, allLinks, describeLink, readTerms, type TermOptions } from '../links.ts'
import { printResult } from '../output.ts'
import { joinPath } from '../paths.ts'
import { itemAt } from '../places.ts'
import { dataOf } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

export function addLinkCommands(program: Command): void {
  const { commands: c, arguments: a } = texts
  program
    .command('links')
    .description(c.links)
    .argument('[path]', a.linksOf)
    .action(async (path: string | undefined) => {
      const storage = signedIn()
      const place = path === undefined ? undefined : await itemAt(storage, path)
      const item = place && (place.kind === 'folder' ? String(place.id) : place.cid)
      const list = await allLinks(storage, item === undefined ? {} : { item })
      printResult({ list, total: list.length }, () => (list.length === 0 ? texts.empty : tableOf(list)))
    })

  const link = program.command('link').description(c.link)
  addTermOptions(link.command('change').description(c.linkChange).argument('<link>', a.link)).action(
    async (text: string, options: TermOptions, command: Command) => {
      const terms = readTerms(options, command)
      const storage = signedIn()
      const { id, form } = await linkAt(storage, text)
      if (form === 'long') throw new CommandError(texts.usage.longLinkChange, 'usage')
      const changed = dataOf(await storage.links.change({ id, ...terms }))
      printResult(changed, () =>
        describeLink({ ...changed, expire_at: changed.expire_time, downloads: changed.max_downloads }),
      )
    },
  )
  link
    .command('rm')
    .description(c.linkRemove)
    .argument('<link>', a.link)
    .action(async (text: string) => {
      const storage = signedIn()
      const { id, form } = await linkAt(storage, text)
      dataOf(await (form === 'long' ? storage.revokeSharedLink({ id }) : storage.links.revoke(id)))
      printResult({ id, form }, () => (form === 'long' ? texts.linkEnded(id) : texts.linkRevoked(id)))
    })
  link
    .command('restore')
    .description(c.linkRestore)
    .argument('<id>', a.linkId)
    .action(async (id: string) => {
      const storage = signedIn()
      dataOf(await storage.links.restore(id))
      printResult({ id }, () => texts.linkRestored(id))
    })
}

/** The link with this id or address. @throws CommandError 'notFound' */
async function linkAt(storage: Storage, text: string): Promise<ShortLink> {
  const found = (await allLinks(storage)).find(({ id, url }) => id === text || (url !== '' && url === text))
  if (!found) throw new CommandError(texts.noSuchLink(text), 'notFound')
  return found
}

function tableOf(list: readonly ShortLink[]): string {
  const { headers: h } = texts
  return table(
    [h.id, h.name, h.link, h.state, h.expires, h.password, h.downloads, h.note],
    list.map((link) => [
      link.id,
      link.item.name === '' ? '-' : joinPath(`/${link.item.path.join('/')}`, link.item.name),
      link.url || '-',
      texts.linkStates[link.state],
      link.expire_time >= SHARE_PERMANENT ? '-' : moment(link.expire_time * 1000),
      link.short_pass || '-',
      link.max_downloads > 0 ? `${link.downloads}/${link.max_downloads}` : String(link.downloads),
      link.note || '-',
    ]),
  )
}
