import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { bytes, dataOf, Failed, show } from '../output.ts'
import { folderAt, placeAt } from '../places.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

interface Shown {
  state?: keyof typeof texts.states
  percent: number
  speed: number
}

/** A bar on the terminal; nothing where there is none, or when a program reads the output. */
function progressBar(name: string, quiet: boolean) {
  if (quiet || !process.stderr.isTTY) return { show(_: Shown) {}, end() {} }
  const bar = new SingleBar({
    format: `${name} [{bar}] {percent}% {speed}/s {state}`,
    hideCursor: true,
    stream: process.stderr,
    clearOnComplete: false,
  })
  bar.start(100, 0, { percent: '0.00', speed: bytes(0), state: '' })
  return {
    show: ({ state, percent, speed }: Shown) =>
      bar.update(Math.floor(percent), {
        percent: percent.toFixed(2),
        speed: bytes(speed),
        state: state ? texts.states[state] : '',
      }),
    end: () => bar.stop(),
  }
}

/** Ctrl-C cancels the transfer; what it had taken is given back before the command ends. */
function interruptible(): AbortSignal {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  return stop.signal
}

export function addTransferCommands(program: Command): void {
  program
    .command('up')
    .description(texts.commands.up)
    .argument('<source>')
    .argument('[folder]', '', '/')
    .option('--area <area>', texts.options.area, (area: string, areas: string[]) => [...areas, area], [] as string[])
    .option('--encrypt <passphrase>', texts.options.encrypt)
    .action(async (source: string, folder: string, options: { area: string[]; encrypt?: string }, command: Command) => {
      const storage = signedIn()
      const { id } = await folderAt(storage, folder)
      const { json } = command.optsWithGlobals()
      const bar = progressBar(source, json)
      const result = await storage.uploadAsset(
        source,
        {
          groupId: id,
          areaId: options.area,
          signal: interruptible(),
          ...(options.encrypt !== undefined && { encrypt: { passphrase: options.encrypt } }),
        },
        (progress) => bar.show(progress),
      )
      bar.end()
      const asset = dataOf(result)
      show(json, asset, () => (asset.isAlreadyExist ? texts.wasThere : texts.uploaded)(asset.name, asset.cid))
    })

  program
    .command('get')
    .description(texts.commands.get)
    .argument('<path>')
    .option('-o, --to <file>', texts.options.to)
    .option('--decrypt <passphrase>', texts.options.decrypt)
    .action(async (path: string, options: { to?: string; decrypt?: string }, command: Command) => {
      const storage = signedIn()
      const place = await placeAt(storage, path)
      if (place.kind === 'folder') throw new Failed(texts.noSuch(path), 'usage')
      const { json } = command.optsWithGlobals()
      const kind = place.asset.UserAssetDetail.AssetType
      const name = kind === 'folder' ? `${place.name}.tar` : place.name
      const to = options.to ?? name
      const bar = progressBar(name, json || to === '-')
      const result = await storage.downloadAsset(
        {
          assetCid: place.cid,
          assetType: kind,
          to: to === '-' ? { stream: process.stdout } : { path: to },
          signal: interruptible(),
          ...(options.decrypt !== undefined && { decrypt: { passphrase: options.decrypt } }),
        },
        (progress) => bar.show(progress),
      )
      bar.end()
      const data = dataOf(result)
      if (to !== '-') show(json, { ...data, to }, () => texts.saved(to))
    })
}
