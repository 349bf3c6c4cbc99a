import { createHash, createPublicKey, verify } from 'node:crypto'
import { type ReleaseManifest, releaseManifest } from '@tidenet/contract'
import type { OwnRelease } from './release.ts'

/** A file that the node may run instead of itself. */
export interface Update {
  version: string
  /** Of the release, unix ms. */
  time: number
  file: string
  size: number
  sha256: string
}

/** A release from further ahead was made with a wrong clock, and would keep later ones out. */
export const AHEAD_MAX_MS = 24 * 3600_000

/**
 * Reads a manifest that one of the keys signed.
 * @param signature base64url
 * @throws Error if none of them did, or the text is not a manifest
 */
export function openManifest(text: Uint8Array, signature: string, keys: readonly string[]): ReleaseManifest {
  const bytes = Buffer.from(signature.trim(), 'base64url')
  const isSigned = keys.some((x) =>
    verify(null, text, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), bytes),
  )
  if (!isSigned) throw new Error('the manifest is not signed by a key that this program trusts')
  return releaseManifest.parse(JSON.parse(Buffer.from(text).toString('utf8')))
}

/**
 * The update that a signed manifest offers to this node; undefined if it is none, or another device comes first.
 * @param seen time of the newest manifest that the node ever verified: a mirror that offers an older one is not believed
 */
export function chooseUpdate(
  manifest: ReleaseManifest,
  { release, seen, nodeId, now }: { release: OwnRelease; seen: number; nodeId: string; now: number },
): Update | undefined {
  const { version, time, percent, files } = manifest
  if (time <= release.time || time < seen || time > now + AHEAD_MAX_MS) return undefined
  if (isOlder(version, release.version) || !isAmong(nodeId, version, percent)) return undefined
  const found = files.find(({ program, platform }) => program === release.program && platform === release.platform)
  return found && { version, time, file: found.file, size: found.size, sha256: found.sha256 }
}

/**
 * Whether the node is among the first `percent` of a hundred. The order follows from its identity and differs from release to release: nobody
 * can ask to be first, and a greater share includes the nodes of a smaller one.
 */
export function isAmong(nodeId: string, version: string, percent: number): boolean {
  const digest = createHash('sha256').update(`tidenet-update\n${version}\n${nodeId}`).digest()
  return digest.readUInt32BE() % 100 < percent
}

/** Compares `major.minor.patch`; any other text is older than such a version. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => {
    const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1) ?? []
    return [0, 1, 2].map((at) => Number(parts[at] ?? -1))
  }) as [number[], number[]]
  const at = a.findIndex((number, index) => number !== b[index])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}
