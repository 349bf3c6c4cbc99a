import { ArchiveError, readTar } from './read-tar.ts'

/** Limits of an image, all layers together. */
export interface LayerLimits {
  entries: number
}

/** Symbolic links of one layer that are remembered. */
const LINKS_MAX = 100_000
const PATH_MAX = 4096

/**
 * Checks the entries of a layer before an engine unpacks it. Engines check them, too; an image that was built by the usual tools passes.
 * @param left counts down over all layers
 * @throws ArchiveError
 */
export async function checkLayer(source: AsyncIterable<Uint8Array>, left: LayerLimits): Promise<void> {
  const links = new Set<string>()
  for await (const { path, type, target } of readTar(source)) {
    left.entries -= 1
    if (left.entries < 0) throw new ArchiveError('filesMany')
    const names = namesOf(path)
    if (names.length === 0) {
      // The root folder itself.
      if (type !== '5') throw new ArchiveError('path', show(path))
      continue
    }
    for (let depth = 1; depth < names.length; depth++)
      if (links.has(names.slice(0, depth).join('/'))) throw new ArchiveError('throughLink', show(path))
    checkWhiteout(names.at(-1) as string, path)
    if (type === '1') namesOf(target)
    else if (type === '2') {
      if (links.size >= LINKS_MAX) throw new ArchiveError('linksMany')
      links.add(names.join('/'))
    } else if (type === '3' || type === '4') throw new ArchiveError('device', show(path))
    else if (type !== '0' && type !== '5' && type !== '6') throw new ArchiveError('entryKind', show(path))
    if (type !== '2') links.delete(names.join('/'))
  }
}

/** The names of a relative path. @throws ArchiveError if it could lead outside */
function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (path.startsWith('/') || path.includes('\0') || names.includes('..') || Buffer.byteLength(path) > PATH_MAX)
    throw new ArchiveError('path', show(path))
  return names
}

/** `.wh.name` deletes a file of a lower layer; `.wh..wh..opq` all files of its folder. */
function checkWhiteout(name: string, path: string): void {
  if (!name.startsWith('.wh.') || name === '.wh..wh..opq') return
  const deleted = name.slice('.wh.'.length)
  if (deleted === '' || deleted === '.' || deleted === '..' || deleted.startsWith('.wh.'))
    throw new ArchiveError('whiteout', show(path))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the path is shown to its owner
const show = (path: string): string => path.slice(0, 100).replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
