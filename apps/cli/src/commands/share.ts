import { SHARE_PERMANENT } from '@tidenet/contract/constants'
import { isSuccess } from '@tidenet/storage'
import type { Command } from 'commander'
import { dataOf, Failed, show } from '../output.ts'
import { placeAt } from '../places.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

export function addShareCommand(program: Command): void {
  program
    .command('share')
    .description(texts.commands.share)
    .argument('<path>')
    .option('--days <days>', texts.options.days)
    .option('--password <password>', texts.options.password)
    .option('--off', texts.options.off)
    .action(async (path: string, options: { days?: string; password?: string; off?: boolean }, command: Command) => {
      const storage = signedIn()
      const place = await placeAt(storage, path)
      if (place.kind === 'folder' && place.id === 0) throw new Failed(texts.rootStays, 'usage')
      const cid = place.kind === 'folder' ? String(place.id) : place.cid
      const { json } = command.optsWithGlobals()
      if (options.off) {
        dataOf(await storage.api.call('shares.setStatus', { cid, status: 0 }))
        return show(json, {}, () => texts.done)
      }
      const expiry =
        options.days === undefined
          ? SHARE_PERMANENT
          : Math.floor(Date.now() / 1000) + Math.round(Number(options.days) * 24 * 3600)
      const known = await storage.api.call('shares.info', { cid })
      if (isSuccess(known)) {
        const { link } = known.data
        dataOf(
          await storage.api.call('shares.update', {
            id: link.id,
            expire_at: expiry,
            ...(options.password !== undefined && { short_pass: options.password }),
          }),
        )
      } else
        dataOf(
          await storage.api.call('shares.create', {
            cid,
            expire_time: expiry,
            ...(options.password !== undefined && { short_pass: options.password }),
          }),
        )
      dataOf(await storage.api.call('shares.setStatus', { cid, status: 1 }))
      const { link } = dataOf(await storage.api.call('shares.info', { cid }))
      show(json, link, () => `${texts.shareUrl}: ${absolute(link.short_link, storage.api.url)}`)
    })
}

const absolute = (link: string, portal: string): string => new URL(link, portal).href
