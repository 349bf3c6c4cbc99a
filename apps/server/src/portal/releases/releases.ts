import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Lang, Release } from '@tidenet/contract'
import { z } from 'zod'

/** The output folder of tools/pack-downloads.mjs; the path is valid from `src` and from `dist`. */
export const PACKED = join(dirname(fileURLToPath(import.meta.url)), '../../../dist/packed')

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

/** The packed programs in a folder; empty if there are none. */
export function readReleases(folder = PACKED): Packed[] {
  const list = join(folder, 'releases.json')
  if (!existsSync(list)) return []
  return packed.parse(JSON.parse(readFileSync(list, 'utf8'))).filter(({ file }) => existsSync(join(folder, file)))
}

export const asRelease = ({ notes, ...release }: Packed, lang: Lang): Release => ({
  ...release,
  url: `/downloads/${release.file}`,
  notes: notes[lang],
})
