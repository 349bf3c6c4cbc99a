import { realpathSync } from 'node:fs'
import { getAsset, isSea } from 'node:sea'
import { z } from 'zod'

/** A raw Ed25519 public key in base64url, as `npm run executables -- key` prints it. */
export const RELEASE_KEY = /^[A-Za-z0-9_-]{43}$/

const shape = z.object({
  version: z.string(),
  time: z.number(),
  /** Public keys that may sign later releases; none: the build was not signed. */
  keys: z.array(z.string().regex(RELEASE_KEY)),
  program: z.string(),
  platform: z.string(),
})

/** The facts of the release that an executable carries; `time` in unix ms. */
export type OwnRelease = z.infer<typeof shape>

export const parseRelease = (text: string): OwnRelease => shape.parse(JSON.parse(text))

/** @returns undefined unless this is a single executable of the node: the command line also starts nodes, but does not replace itself */
export function readRelease(): OwnRelease | undefined {
  if (!isSea()) return undefined
  const release = parseRelease(getAsset('release.json', 'utf8'))
  return release.program === 'tidenet-node' ? release : undefined
}

/** Path of the executable that runs. */
export const ownPath = (): string => realpathSync(process.execPath)
