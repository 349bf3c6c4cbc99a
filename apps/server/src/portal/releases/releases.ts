import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Lang, type Release, type ReleaseManifest, releaseManifest } from '@tidenet/contract'
import { z } from 'zod'

/** The output folder of tools/pack-downloads.mjs; the path is valid from `src` and from `dist`. */
const PACKED = join(dirname(fileURLToPath(import.meta.url)), '../../../dist/packed')

const packed = z.array(
  z.object({
    kind: z.enum(['cli', 'node', 'sdk']),
    version: z.string(),
    platform: z.string(),
    needs: z.string(),
    file: z.string().regex(/^[\w.-]+\.tgz$/),
    size: z.number(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    date: z.string(),
    notes: z.object({ en: z.string(), cn: z.string() }),
  }),
)
export type Packed = z.infer<typeof packed>[number]

/** The output folder of tools/executables. */
const EXECUTABLES = join(PACKED, '../executables')

const KINDS = { 'tidenet-node': 'node', tidenet: 'cli' } as const

/** The output folder of tools/pack-extension.mjs. */
const EXTENSION = join(PACKED, '../extension')

const extension = z.object({
  version: z.string(),
  file: z.string().regex(/^tidenet-extension-[\w.-]+\.zip$/),
  size: z.number(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  date: z.string(),
})

/** Files beside the executables with which people and programs check them. */
export const PROOFS = ['manifest.json', 'manifest.sig', 'SHA256SUMS', 'SHA256SUMS.sig', 'release-key.pem']

/** Where the programs are. */
export interface Folders {
  packed: string
  executables: string
  extension: string
}
export const FOLDERS: Folders = { packed: PACKED, executables: EXECUTABLES, extension: EXTENSION }

/** A program that the portal offers, and the folder of its file. */
export type Offered = Omit<Packed, 'kind'> & { kind: Release['kind']; folder: string; tested: boolean }

/** The programs in the folders, archives first; empty if there are none. */
export function readReleases({ packed: folder, executables, extension: ofExtension }: Folders = FOLDERS): Offered[] {
  const archives = readJson(join(folder, 'releases.json'))
  const single = readJson(join(executables, 'manifest.json'))
  const added = readJson(join(ofExtension, 'extension.json'))
  const offered: Offered[] = [
    ...packed.parse(archives ?? []).map((one) => ({ ...one, folder, tested: true })),
    ...(single === undefined ? [] : asOffered(releaseManifest.parse(single), executables)),
    ...(added === undefined ? [] : [withExtension(extension.parse(added), ofExtension)]),
  ]
  return offered.filter((one) => existsSync(join(one.folder, one.file)))
}

/** The same, read again only when one of the lists was written anew: programs can be packed while the server runs. */
export function createReleases(folders: Folders): () => Offered[] {
  let known: { written: string; offered: Offered[] } | undefined
  const lists = [
    join(folders.packed, 'releases.json'),
    join(folders.executables, 'manifest.json'),
    join(folders.extension, 'extension.json'),
  ]
  const writtenAt = (path: string) => {
    const { mtimeMs = 0, ino = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    return `${mtimeMs} ${ino} ${size}`
  }
  return () => {
    const written = lists.map(writtenAt).join('\n')
    if (known?.written !== written) known = { written, offered: readReleases(folders) }
    return known.offered
  }
}

const withExtension = (one: z.infer<typeof extension>, folder: string): Offered => ({
  ...one,
  ...{ kind: 'extension', platform: 'any', needs: 'Chromium 120, Firefox 121', folder, tested: true },
  notes: { en: 'Shows your devices and what they earn.', cn: '查看您的设备及其收益。' },
})

const asOffered = ({ version, time, files }: ReleaseManifest, folder: string): Offered[] =>
  files.map(({ file, program, platform, trial, size, sha256 }) => ({
    ...{ kind: KINDS[program], version, platform, needs: '', file, size, sha256, folder, tested: trial !== 'file' },
    date: new Date(time).toISOString(),
    notes: { en: 'A single file that needs nothing else.', cn: '单个文件，无需其他依赖。' },
  }))

const readJson = (path: string): unknown => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)

export const asRelease = ({ notes, folder: _, ...release }: Offered, lang: Lang): Release => ({
  ...release,
  url: `/downloads/${release.file}`,
  notes: notes[lang],
})
