import type { ShortLink } from '@tidenet/contract'
import { PAGE_SIZE_MAX, SHARE_PERMANENT, SHORT_PASS } from '@tidenet/contract/constants'
import type { LinkQuery, LinkTerms, Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { moment } from './amounts.ts'
import { CommandError } from './command-error.ts'
import { wholeNumber } from './numbers.ts'
import { oneOf } from './one-of.ts'
import { dataOf } from './portal.ts'
import { texts } from './texts.ts'
import { pad, width } from './width.ts'

/** Terms of a link, as options. */
export interface TermOptions {
  days?: string
  /** False for `--no-password`. */
  password?: string | false
  limit?: string
  note?: string
  /** Addresses; empty for `--for-all`. */
  for?: string[]
  forAll?: true
}

export function addTermOptions(command: Command): Command {
  const { options: o } = texts
  return command
    .option('--days <number>', o.days)
    .option('--password <password>', o.password)
    .option('--no-password', o.noPassword)
    .option('--limit <number>', o.limit)
    .option('--note <text>', o.note)
    .option('--for <email>', o.linkFor, (email: string, all: string[] = []) => [...all, email])
    .option('--for-all', o.linkForAll)
}

/** All links of the account, short and long, newest first. */
export async function allLinks(storage: Storage, query: LinkQuery = {}): Promise<ShortLink[]> {
  const all: ShortLink[] = []
  for (let page = 1; ; page++) {
    const { list, total } = dataOf(await storage.links.list({ ...query, page, pageSize: PAGE_SIZE_MAX }))
    all.push(...list)
    if (list.length === 0 || all.length >= total) return all
  }
}

interface Described {
  url: string
  short_pass: string
  expire_at: number
  downloads: number
  id?: string
}

export function describeLink({ url, short_pass, expire_at, downloads, id }: Described): string {
  const { share } = texts
  const lines: [string, string][] = [
    [share.link, url || share.hidden],
    [share.password, short_pass || share.none],
    [share.expires, expire_at >= SHARE_PERMANENT ? share.never : moment(expire_at * 1000)],
    ...(downloads > 0 ? [[share.downloads, String(downloads)] as [string, string]] : []),
    ...(id === undefined ? [] : [[share.id, id] as [string, string]]),
  ]
  const column = Math.max(...lines.map(([head]) => width(head))) + 2
  return lines.map(([head, text]) => pad(head, column) + text).join('\n')
}

/** Options that were given; others keep their value. @throws CommandError 'usage' */
export function readTerms(options: TermOptions, command: Command): LinkTerms {
  const { days, limit, note } = options
  oneOf(options, ['for', 'forAll'])
  const emails = options.forAll ? [] : options.for
  // With an option `--no-password`, Commander sets `password` to true by default.
  const password = command.getOptionValueSource('password') === 'cli' ? options.password : undefined
  if (typeof password === 'string' && !SHORT_PASS.test(password))
    throw new CommandError(texts.usage.badPassword, 'usage')
  const lasting = days === undefined ? undefined : wholeNumber('--days', days, 0)
  return {
    ...(lasting !== undefined && (lasting === 0 ? { expireAt: SHARE_PERMANENT } : { expireAt: lasting, hasDay: true })),
    ...(password !== undefined && { shortPass: password === false ? '' : password }),
    ...(limit !== undefined && { maxDownloads: wholeNumber('--limit', limit, 0) }),
    ...(note !== undefined && { note }),
    ...(emails !== undefined && { emails }),
  }
}
