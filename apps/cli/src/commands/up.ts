import { existsSync } from 'node:fs'
import type { FileConflict, ResumeStore, Storage, UploadedAsset, UploadedFolder, UploadOptions } from '@tidenet/storage'
import { type Command, Option } from 'commander'
import { CommandError } from '../command-error.ts'
import { forEach } from '../each.ts'
import { exitCancelled, interruptible } from '../interrupt.ts'
import { statPath } from '../local-files.ts'
import { oneOf } from '../one-of.ts'
import { printLine, printMessage, printResult } from '../output.ts'
import { joinPath } from '../paths.ts'
import { type FolderPlace, folderAt, makeFolders, placeAt } from '../places.ts'
import { dataOf } from '../portal.ts'
import { followProgress } from '../progress.ts'
import { signedIn, unfinishedUploads } from '../session.ts'
import { promptPassphrase } from '../terminal.ts'
import { texts } from '../texts.ts'
import { type VaultOptions, vaultKey } from '../vault-key.ts'

interface UpOptions extends VaultOptions {
  to?: string
  name?: string
  parents?: true
  area?: string[]
  encrypt?: true
  recipient?: string[]
  sealed?: true
  onConflict?: string
}

/** Files of folders; one whose name is taken does not stop the others. */
const CONFLICTS: Record<string, FileConflict> = { replace: 'replace', fail: 'skip', 'keep-both': 'keep_both' }

const several = (text: string, before: string[] = []): string[] => [...before, text]

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .description(texts.commands.up)
    .argument('<sources...>', texts.arguments.sources)
    .option('--to <folder>', texts.options.upTo)
    .option('-p, --parents', texts.options.upParents)
    .option('--name <name>', texts.options.upName)
    .option('--area <area>', texts.options.area, several)
    .option('--encrypt', texts.options.encrypt)
    .option('--recipient <key>', texts.options.recipient, several)
    .option('--vault', texts.options.upVault)
    .option('--kit <file>', texts.options.upKit)
    .option('--sealed', texts.options.sealed)
    .addOption(new Option('--on-conflict <how>', texts.options.onConflict).choices(['replace', 'keep-both', 'fail']))
    .action(async (paths: string[], options: UpOptions) => {
      const { sources, target } = readArguments(paths, options)
      const missing = sources.find((source) => !existsSync(source))
      if (missing !== undefined) throw new CommandError(texts.noSuchLocal(missing), 'notFound')
      const storage = signedIn()
      const folder = await folderFor(storage, target, options, paths.length > 1 && options.to === undefined)
      const encrypt = await encryption(storage, options)
      const list = await forEach(sources, { nameOf: String }, async (source) => {
        if (!options.sealed && (await statPath(source))?.kind === 'folder')
          return uploadFolder(storage, source, folder, { options, encrypt })
        const asset = await upload(storage, source, {
          groupId: folder.id,
          allowEmpty: true,
          ...(options.area && { areaId: options.area }),
          ...(options.name !== undefined && { name: options.name }),
          ...(encrypt && { encrypt }),
          ...(options.onConflict && {
            onConflict: options.onConflict.replace('-', '_') as UploadOptions['onConflict'],
          }),
        })
        // An account has each content once: show its existing path.
        const path = asset.isAlreadyExist ? await pathOf(storage, asset.cid) : joinPath(folder.path, asset.name)
        const { name, cid } = asset
        if (asset.isAlreadyExist) printLine(texts.wasThere(name, path, cid))
        else printLine((asset.isFastUpload ? texts.wasKnown : texts.uploaded)(path, cid))
        return { source, path, ...asset }
      })
      printResult({ list }, () => '')
    })
}

/** One argument is uploaded to the root; with several, the last is the folder, as with `cp`. */
function readArguments(paths: string[], options: UpOptions) {
  const { to, name, recipient } = options
  const sources = to !== undefined || paths.length === 1 ? paths : paths.slice(0, -1)
  oneOf(options, ['encrypt', 'recipient', 'vault', 'kit'])
  const odd = recipient?.find((key) => !/^age1[0-9a-z]+$/.test(key))
  if (odd !== undefined) throw new CommandError(texts.usage.badRecipient(odd), 'usage')
  if (name !== undefined && sources.length > 1) throw new CommandError(texts.usage.nameOne, 'usage')
  return { sources, target: to ?? (sources.length < paths.length ? (paths.at(-1) ?? '/') : '/') }
}

async function folderFor(
  storage: Storage,
  path: string,
  { parents }: UpOptions,
  lastOfSeveral: boolean,
): Promise<FolderPlace> {
  if (parents) return makeFolders(storage, path)
  return folderAt(storage, path).catch((error: unknown) => {
    if (lastOfSeveral && error instanceof CommandError && error.exit === 'notFound')
      throw new CommandError(texts.noSuchTarget(path), 'notFound')
    throw error
  })
}

/** Path of the content in the account; its CID if the API key cannot list files. */
const pathOf = (storage: Storage, cid: string): Promise<string> =>
  placeAt(storage, cid).then(
    ({ path }) => path,
    () => cid,
  )

async function encryption(storage: Storage, options: UpOptions): Promise<UploadOptions['encrypt']> {
  const { encrypt, recipient } = options
  const key = await vaultKey(storage, options)
  if (key) return { recipients: [key.recipient] }
  if (recipient) return { recipients: recipient }
  return encrypt ? { passphrase: await promptPassphrase({ twice: true }) } : undefined
}

/**
 * Uploads with a progress line. Ctrl-C keeps the node's part of a large upload, so that it can be resumed; small ones are cancelled.
 * @throws CommandError
 */
export async function upload(storage: Storage, source: string, options: UploadOptions): Promise<UploadedAsset> {
  const stop = new AbortController()
  const bar = followProgress(source)
  const store = unfinishedUploads()
  const unfinished = store && watched(store)
  const onInterrupt = () => {
    if (!unfinished?.holds()) return stop.abort()
    bar.end()
    exitCancelled(texts.kept)
  }
  try {
    return await interruptible(onInterrupt, async () =>
      dataOf(
        await storage.uploadAsset(
          source,
          { ...options, ...(unfinished && { resume: unfinished }), signal: stop.signal },
          bar.listener,
        ),
      ),
    )
  } finally {
    bar.end()
  }
}

/** A resume store that knows whether it has an entry. */
function watched(store: ResumeStore): ResumeStore & { holds(): boolean } {
  let holds = false
  return {
    holds: () => holds,
    async get(fingerprint) {
      const found = await store.get(fingerprint)
      holds = found !== undefined
      return found
    },
    async set(fingerprint, upload) {
      await store.set(fingerprint, upload)
      holds = true
    },
    async delete(fingerprint) {
      holds = false
      await store.delete(fingerprint)
    },
  }
}

/**
 * Uploads a folder file by file into a folder of the account, which it merges with one of the same name. Ctrl-C keeps what was sent; running
 * the command again sends the rest.
 * @throws CommandError if the upload stopped, or some files failed
 */
async function uploadFolder(
  storage: Storage,
  source: string,
  target: FolderPlace,
  { options, encrypt }: { options: UpOptions; encrypt: UploadOptions['encrypt'] },
): Promise<Omit<UploadedFolder, 'failures'> & { source: string; path: string }> {
  const stop = new AbortController()
  const bar = followProgress(source)
  const { listener } = bar
  const unfinished = unfinishedUploads()
  let folder: UploadedFolder
  try {
    const task = storage.uploadFolder(
      source,
      {
        parent: target.id,
        allowEmpty: true,
        onConflict: CONFLICTS[options.onConflict ?? 'replace'] as FileConflict,
        ...(unfinished && { resume: unfinished }),
        ...(options.name !== undefined && { name: options.name }),
        ...(options.area && { areaId: options.area }),
        ...(encrypt && { encrypt }),
        signal: stop.signal,
      },
      listener && (({ loaded, total, speed }) => listener({ state: 'uploading', loaded, total, speed })),
    )
    folder = await interruptible(
      () => void task.pause(),
      async () => dataOf(await task),
    )
  } finally {
    bar.end()
  }
  const path = joinPath(target.path, folder.name)
  const { failures, ...counts } = folder
  const stored = counts.uploaded + counts.same + counts.skipped
  const isNothing = stored === 0 && counts.failed > 0
  const [reason = '', ...others] = new Set(failures.map(({ failure }) => failure?.msg ?? ''))
  // One reason for everything, such as a full account, is said once.
  const isOneReason = isNothing && reason !== '' && others.length === 0
  if (!isNothing) printLine(texts.uploadedFolder(path, counts.uploaded, counts.same, counts.skipped))
  if (!isOneReason) for (const { path: file, failure } of failures) printMessage(texts.each(file, failure?.msg ?? ''))
  if (counts.failed > 0) {
    const failed = failures.map(({ path: name, failure }) => ({
      name,
      code: failure?.code ?? 0,
      msg: failure?.msg ?? '',
    }))
    const message = isOneReason
      ? texts.nothingUploadedAs(path, reason)
      : isNothing
        ? texts.nothingUploaded(path, counts.failed)
        : texts.someFailed(counts.failed, counts.failed + stored)
    throw new CommandError(message, 'failed', { more: { list: [{ source, path, ...counts }], failed } })
  }
  return { source, path, ...counts }
}
