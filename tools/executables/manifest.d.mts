/** The text of a manifest. */
export function createManifest(release: {
  version: string
  time: number
  percent: number
  files: readonly { file: string; sha256: string }[]
}): string
/** Lines that `shasum -a 256 -c` checks. */
export function sumsOf(files: readonly { file: string; sha256: string }[]): string
