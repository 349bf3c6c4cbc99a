import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import type { DownloadOptions, SlowNode, Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { forEach } from '../each.ts'
import { interruptible } from '../interrupt.ts'
import { makeLocalFolder, readLocalText, statPath } from '../local-files.ts'
import { oneOf } from '../one-of.ts'
import { printLine, printResult } from '../output.ts'
import { type AssetPlace, type Place, placeAt } from '../places.ts'
import { dataOf } from '../portal.ts'
import { followProgress, type State } from '../progress.ts'
import {
  fileName,
  folderName,
  isStoredFolder,
  itemsBelow,
  type Renamed,
  renamedIn,
  type SaveItem,
} from '../save-items.ts'
import { type Saved, save } from '../saving.ts'
import { signedIn } from '../session.ts'
import { printSlow } from '../slow.ts'
import { promptPassphrase } from '../terminal.ts'
import { texts } from '../texts.ts'
import { type VaultOptions, vaultKey } from '../vault-key.ts'
import { saveZip } from './get-zip.ts'
import { versionAt } from './versions.ts'

interface GetOptions extends VaultOptions {
  to?: string
  force?: true
  extract?: true
  zip?: true
  decrypt?: true
  identity?: string
  version?: string
}

/** Concurrent downloads: for small files latency dominates. */
const CONCURRENCY = 4

export function addGetCommand(program: Command): void {
  program
    .command('get')
    .description(texts.commands.get)
    .argument('<paths...>', texts.arguments.path)
    .option('-o, --to <path>', texts.options.to)
    .option('-f, --force', texts.options.force)
    .option('-x, --extract', texts.options.extract)
    .option('--zip', texts.options.zip)
    .option('--decrypt', texts.options.decrypt)
    .option('--identity <file>', texts.options.identity)
    .option('--vault', texts.options.getVault)
    .option('--kit <file>', texts.options.getKit)
    .option('--version <number>', texts.options.version)
    .action(async (paths: string[], options: GetOptions, command: Command) => {
      const json = command.optsWithGlobals<{ json?: true }>().json
      oneOf(options, ['decrypt', 'identity', 'vault', 'kit'])
      if (options.to === '-' && json) throw new CommandError(texts.usage.twoOf('--json', '--to -'), 'usage')
      const storage = signedIn()
      const places: Place[] = []
      for (const path of paths) places.push(await placeAt(storage, path))
      if (options.version !== undefined) places.push(await earlier(storage, places.splice(0), options.version))
      if (options.zip && (options.extract || options.version !== undefined))
        throw new CommandError(texts.usage.twoOf('--zip', options.extract ? '--extract' : '--version'), 'usage')
      const decrypt = await decryption(storage, options)
      if (options.zip) {
        const stream = options.to === '-' ? standardOutput() : undefined
        return saveZip(storage, places, { to: options.to, stream, force: options.force === true, decrypt })
      }
      if (options.to === '-') return print(storage, places, decrypt)
      const { items, folders, renamed } = await planOf(storage, places, options)
      const list = await saveAll(storage, items, options, decrypt)
      for (const folder of folders) {
        const below = list.filter(({ path }) => path.startsWith(join(folder, '/')))
        printLine(texts.savedAll(folder, below.length, bytes(below.reduce((sum, { size }) => sum + size, 0))))
      }
      printRenamed(renamed)
      printResult({ list, ...(folders.length > 0 && { renamed }) }, () => '')
    })
}

/** One file as it was. */
async function earlier(storage: Storage, places: readonly Place[], number: string): Promise<AssetPlace> {
  const [place] = places
  if (!place || places.length > 1 || place.kind === 'folder') throw new CommandError(texts.usage.versionOne, 'usage')
  const { cid, kind, size, encrypted } = await versionAt(storage, place, number)
  const { UserAssetDetail: detail } = place.asset
  const UserAssetDetail = { ...detail, Cid: cid, AssetType: kind, TotalSize: size, Encrypted: encrypted }
  return { ...place, cid, asset: { ...place.asset, UserAssetDetail } }
}

/** Copies named one by one; the others are counted. `--json` has all. */
const RENAMED_SHOWN = 100

function printRenamed(renamed: readonly Renamed[]): void {
  if (renamed.length > 0) printLine(texts.renamed(renamed.length))
  for (const { from, to } of renamed.slice(0, RENAMED_SHOWN)) printLine(`  ${from} → ${to}`)
  if (renamed.length > RENAMED_SHOWN) printLine(texts.renamedMore(renamed.length - RENAMED_SHOWN))
}

/** Saves everything below a folder of the account. Nothing is an error, so that an empty account can be exported. */
export async function getInto(
  storage: Storage,
  place: Place,
  to: string,
  extract: boolean,
): Promise<{ list: Saved[]; renamed: Renamed[] }> {
  const items: SaveItem[] = []
  if (place.kind === 'folder') for await (const item of itemsBelow(storage, place, to, extract)) items.push(item)
  if (place.kind !== 'folder' || items.length === 0) return { list: [], renamed: [] }
  const renamed = renamedIn(place, items)
  const list = await saveAll(storage, items, extract ? { extract } : {}, undefined)
  printLine(texts.savedAll(to, list.length, bytes(list.reduce((sum, { size }) => sum + size, 0))))
  printRenamed(renamed)
  return { list, renamed }
}

async function decryption(storage: Storage, options: GetOptions): Promise<DownloadOptions['decrypt']> {
  const { decrypt, identity } = options
  const key = await vaultKey(storage, options)
  if (key) return { identities: [key.identity] }
  if (decrypt) return { passphrase: await promptPassphrase({ twice: false }) }
  if (identity === undefined) return undefined
  const lines = readLocalText(identity).split('\n')
  return { identities: lines.map((text) => text.trim()).filter((text) => text !== '' && !text.startsWith('#')) }
}

/** Lists files to save and their local paths. A folder of the account goes into `--to`, next to the others. */
async function planOf(
  storage: Storage,
  places: readonly Place[],
  options: GetOptions,
): Promise<{ items: SaveItem[]; folders: string[]; renamed: Renamed[] }> {
  const { to } = options
  const extract = options.extract === true
  const items: SaveItem[] = []
  const folders: string[] = []
  const renamed: Renamed[] = []
  if (to?.endsWith('/') || (to !== undefined && places.length > 1)) await makeLocalFolder(to)
  const into = to !== undefined && (await statPath(to))?.kind === 'folder'
  for (const place of places)
    if (place.kind === 'asset') {
      const name = fileName(place, extract)
      const path = into ? join(to, name) : (to ?? name)
      items.push({ place, path, base: dirname(path), inTree: false })
    } else {
      // A single folder becomes `--to` itself, so that the same command resumes.
      const path = to === undefined ? folderName(place) : places.length > 1 ? join(to, folderName(place)) : to
      const before = items.length
      for await (const item of itemsBelow(storage, place, path, extract)) items.push(item)
      if (items.length === before && places.length === 1)
        throw new CommandError(texts.nothingBelow(place.path), 'notFound')
      folders.push(path)
      renamed.push(...renamedIn(place, items.slice(before)))
    }
  return { items, folders, renamed }
}

async function saveAll(
  storage: Storage,
  wanted: readonly SaveItem[],
  options: GetOptions,
  decrypt: DownloadOptions['decrypt'] | undefined,
): Promise<Saved[]> {
  const stop = new AbortController()
  const all = wanted.reduce((sum, { place }) => sum + place.asset.UserAssetDetail.TotalSize, 0)
  const loaded = new Map<SaveItem, number>()
  const speeds = new Map<SaveItem, number>()
  const sum = (amounts: Map<SaveItem, number>) => [...amounts.values()].reduce((total, amount) => total + amount, 0)
  const bar = followProgress(wanted.length === 1 ? (wanted[0]?.path ?? '') : texts.files(wanted.length))
  const work = async (item: SaveItem): Promise<Saved> => {
    let slow: readonly SlowNode[] = []
    const saved = await save(storage, item, {
      force: options.force === true,
      extract: options.extract === true,
      decrypt,
      signal: stop.signal,
      onProgress(progress) {
        loaded.set(item, progress.loaded)
        speeds.set(item, progress.speed)
        const state: State = wanted.length > 1 ? 'downloading' : progress.state
        bar.show({ state, loaded: sum(loaded), total: wanted.length > 1 ? all : progress.total, speed: sum(speeds) })
      },
      onSlow(nodes) {
        slow = nodes
      },
    })
    speeds.delete(item)
    loaded.set(item, item.place.asset.UserAssetDetail.TotalSize)
    if (!item.inTree) printLine(textOf(saved))
    printSlow(slow)
    return saved
  }
  try {
    return await interruptible(
      () => stop.abort(),
      () => forEach(wanted, { nameOf: ({ path }) => path, concurrency: CONCURRENCY }, work),
    )
  } finally {
    bar.end()
  }
}

function textOf({ path, size, had, encrypted }: Saved): string {
  if (had) return texts.hadIt(path)
  return encrypted ? texts.savedEncrypted(path) : texts.saved(path, bytes(size))
}

/** Writes one file, or an uploaded folder as a tar, to standard output. */
async function print(
  storage: Storage,
  places: readonly Place[],
  decrypt: DownloadOptions['decrypt'] | undefined,
): Promise<void> {
  const [place] = places
  if (!place || places.length > 1 || place.kind === 'folder') throw new CommandError(texts.usage.stdoutOne, 'usage')
  const stop = new AbortController()
  await interruptible(
    () => stop.abort(),
    async () => {
      const result = await storage.downloadAsset({
        assetCid: place.cid,
        assetType: isStoredFolder(place) ? 'folder' : 'file',
        to: { stream: standardOutput() },
        signal: stop.signal,
        ...(decrypt && isEncrypted(place) && { decrypt }),
      })
      printSlow(dataOf(result).slow)
    },
  )
}

const isEncrypted = ({ asset }: AssetPlace): boolean => asset.UserAssetDetail.Encrypted

/** A stream to standard output, which cannot be closed. */
function standardOutput(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      process.stdout.write(chunk, done)
    },
  })
}
