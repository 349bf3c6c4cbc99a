// What a release consists of. Programs read the manifest to update themselves; people read the checksums.

/** Increased when programs of before cannot read the manifest. */
export const FORMAT = 1

/**
 * The text of a manifest.
 * @param release.time ms; a program takes no manifest that is older than the one it came with
 * @param release.percent of a hundred devices, how many may update
 */
export function createManifest({ version, time, percent, files }) {
  return `${JSON.stringify({ format: FORMAT, version, time, percent, files }, undefined, 1)}\n`
}

/** Lines that `shasum -a 256 -c` checks. */
export const sumsOf = (files) => files.map(({ sha256, file }) => `${sha256}  ${file}\n`).join('')
