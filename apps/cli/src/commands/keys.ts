import type { Output, RouteOf } from '@tidenet/contract'
import { traffic } from '@tidenet/contract/errors/entry'
import { PERMISSIONS, type Permission } from '@tidenet/contract/route'
import type { Command } from 'commander'
import { moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { wholeNumber } from '../numbers.ts'
import { printMessage, printResult } from '../output.ts'
import { folderAt } from '../places.ts'
import { call } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'
import { readExpiry } from './key-expiry.ts'

interface Terms {
  permissions?: string
  permission?: string[]
  expires?: string
  /** False for `--no-ip`. */
  ip?: string[] | false
  folder?: string[] | false
  trafficCap?: string
  spendingCap?: string
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description(texts.commands.key)
  const { options: o, arguments: a } = texts

  key
    .command('create')
    .description(texts.commands.keyCreate)
    .argument('<name>', a.keyName)
    .option('--permissions <list>', o.permissions(PERMISSIONS))
    .option('--permission <name>', o.permission, collect)
    .option('--expires <when>', o.keyExpires)
    .option('--ip <address>', o.keyIp, collect)
    .option('--folder <path>', o.keyFolder, collect)
    .option('--traffic-cap <GB>', o.keyTrafficCap)
    .option('--spending-cap <TNT>', o.keySpendingCap)
    .action(async (name: string, options: Terms) => {
      const storage = signedIn()
      const terms = await readTerms(storage, options)
      const made = await call(storage, 'apiKeys.create', {
        key_name: name,
        type: terms.perms ? 'normal' : 'admin',
        ...terms,
      })
      printNewKey(made)
    })

  key
    .command('change')
    .description(texts.commands.keyChange)
    .argument('<name>', a.keyName)
    .option('--name <name>', o.keyNewName)
    .option('--permissions <list>', o.permissionsChange(PERMISSIONS))
    .option('--permission <name>', o.permission, collect)
    .option('--expires <when>', o.keyExpiresChange)
    .option('--ip <address>', o.keyIp, collect)
    .option('--no-ip', o.keyAnyIp)
    .option('--folder <path>', o.keyFolder, collect)
    .option('--no-folder', o.keyAnyFolder)
    .option('--traffic-cap <GB>', o.keyTrafficCapChange)
    .option('--spending-cap <TNT>', o.keySpendingCapChange)
    .option('--end-former', o.keyEndFormer)
    .action(async (name: string, options: Terms & { name?: string; endFormer?: true }) => {
      const storage = signedIn()
      await call(storage, 'apiKeys.change', {
        key_name: name,
        ...(options.name !== undefined && { new_name: options.name }),
        ...(await readTerms(storage, options)),
        ...(options.endFormer && { end_former: true }),
      })
      const changed = options.name?.trim() ?? name
      printResult({ name: changed }, () => texts.keyChanged(changed))
    })

  key
    .command('rotate')
    .description(texts.commands.keyRotate)
    .argument('<name>', a.keyName)
    .option('--overlap <hours>', o.keyOverlap)
    .action(async (name: string, { overlap }: { overlap?: string }) => {
      const overlap_hours = overlap === undefined ? undefined : wholeNumber('--overlap', overlap, 0)
      const made = await call(signedIn(), 'apiKeys.rotate', {
        key_name: name,
        ...(overlap_hours !== undefined && { overlap_hours }),
      })
      printNewKey(made)
      printMessage(made.previous_until ? texts.keyFormerUntil(moment(made.previous_until)) : texts.keyFormerEnded)
    })

  key
    .command('ls')
    .description(texts.commands.keyList)
    .action(async () => {
      const { list } = await call(signedIn(), 'apiKeys.list', {})
      const { headers: h } = texts
      printResult({ list, total: list.length }, () =>
        list.length === 0
          ? texts.empty
          : table(
              [h.name, h.permissions, h.folders, h.date, h.used, h.from, h.expires, h.ips, h.caps, h.former],
              list.map(
                ({ name, type, perms, folders, time, last_used, last_used_from, expires_at, ips, former, ...caps }) => [
                  name,
                  type === 'admin' ? texts.allPermissions : perms.join(' '),
                  folders
                    ?.map(({ path }) => (path.length > 0 ? `/${path.join('/')}` : texts.keyFolderGone))
                    .join(', ') ?? '-',
                  moment(time),
                  last_used ? moment(last_used) : '-',
                  last_used_from || '-',
                  expiry(expires_at),
                  ips.join(' ') || '-',
                  capsText(caps) || '-',
                  former.map(({ key: start, until }) => texts.keyFormer(start, moment(until))).join(', ') || '-',
                ],
              ),
            ),
      )
    })

  key
    .command('rm')
    .description(texts.commands.keyRemove)
    .argument('<name>', a.keyName)
    .action(async (name: string) => {
      await call(signedIn(), 'apiKeys.remove', { key_name: name })
      printResult({ name }, () => texts.keyRemoved(name))
    })

  key
    .command('restore')
    .description(texts.commands.keyRestore)
    .argument('<name>', a.keyName)
    .action(async (name: string) => {
      await call(signedIn(), 'apiKeys.restore', { key_name: name })
      printResult({ name }, () => texts.keyRestored(name))
    })
}

/** Standard output is the key alone, so that scripts can store it; with `--json` it has the S3 access key too. */
function printNewKey(made: { key: string; access_key_id: string; secret_access_key: string }): void {
  printResult(made, () => made.key)
  if (made.access_key_id) printMessage(texts.keyS3(made.access_key_id, made.secret_access_key))
  printMessage(texts.keyOnce)
}

const collect = (value: string, all: string[] = []): string[] => [...all, value]

function expiry(at: string | null): string {
  if (at === null) return '-'
  return Date.parse(at) <= Date.now() ? texts.keyExpired(moment(at)) : moment(at)
}

/** The options that were given. */
async function readTerms(storage: ReturnType<typeof signedIn>, options: Terms) {
  const { permissions, permission, expires, ip, folder, trafficCap, spendingCap } = options
  const named = [...(permissions?.split(',') ?? []), ...(permission ?? [])]
  const perms = permissions === undefined && permission === undefined ? undefined : named.map(readPermission)
  return {
    ...(perms && { perms, type: 'normal' as const }),
    ...(expires !== undefined && { expires_at: readExpiry(expires, new Date()) }),
    // Commander sets `ip` and `folder` to true by default, because of `--no-ip` and `--no-folder`.
    ...(Array.isArray(ip) && { ips: ip }),
    ...(ip === false && { ips: [] }),
    ...(Array.isArray(folder) && {
      folders: await Promise.all(folder.map(async (path) => (await folderAt(storage, path)).id)),
    }),
    ...(folder === false && { folders: [] }),
    ...(trafficCap !== undefined && { traffic_cap: readCap('--traffic-cap', trafficCap, GB) }),
    ...(spendingCap !== undefined && { spending_cap: readCap('--spending-cap', spendingCap, 1) }),
  }
}

type CapsOfKey = Pick<Output<RouteOf<'apiKeys.own'>>, 'traffic_cap' | 'traffic_used' | 'spending_cap' | 'spent'>

/** Bytes in the unit of `--traffic-cap`. */
const GB = 1e9

/** In units of the API, which are whole; empty for `none`. */
function readCap(option: string, text: string, factor: number): number | '' {
  if (text === 'none') return ''
  const cap = Math.round(Number(text) * factor * 1000) / 1000
  if (!/^\d+(\.\d+)?$/.test(text) || !Number.isSafeInteger(cap))
    throw new CommandError(factor === 1 ? texts.usage.badWholeCap(option) : texts.usage.badCap(option), 'usage')
  return cap
}

function capsText({ traffic_cap, traffic_used, spending_cap, spent }: CapsOfKey): string {
  return [
    ...(traffic_cap === null ? [] : [texts.keyTraffic(traffic(traffic_used), traffic(traffic_cap))]),
    ...(spending_cap === null ? [] : [texts.keySpent(spent, spending_cap)]),
  ].join(', ')
}

function readPermission(text: string): Permission {
  const name = PERMISSIONS.find((permission) => permission === text.trim())
  if (!name) throw new CommandError(texts.usage.badPermission(text.trim(), PERMISSIONS.join(', ')), 'usage')
  return name
}
