/**
 * Files of a program, through commands that run in it. The kernel resolves paths inside of the container, so no link leads out of it.
 * Names are arguments after `./`, never a part of a script.
 */

export interface ProgramFile {
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes. */
  size: number
  /** Unix ms. */
  changed: number
  /** Whether the name is no text, so that it cannot be named here. */
  unnamable: boolean
}

/** The exit codes of our scripts. */
const NO_FOLDER = 97
const TAKEN = 98
const INCOMPLETE = 99

/** What a command printed before it ended. */
export interface Ended {
  code: number
  output: Uint8Array<ArrayBuffer>
  errors: string
}

export type Run = (command: string[], input?: Blob, onSent?: (bytes: number) => void) => Promise<Ended>

export type FileProblem =
  | 'noFolder'
  | 'taken'
  | 'incomplete'
  | 'noShell'
  | 'full'
  | 'denied'
  | 'readOnly'
  | 'gone'
  | 'failed'

export class FileError extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem, detail: string) {
    super(detail)
    this.problem = problem
  }
}

const script = (text: string, ...args: string[]): string[] => [
  '/bin/sh',
  '-c',
  `cd -P -- "$1" 2>/dev/null || exit ${NO_FOLDER}; ${text}`,
  'files',
  ...args,
]

/** Files of a folder that are shown at most. */
export const FILES_MAX = 2000
const LISTED_BYTES = 1024 * 1024
/** Bytes of a download that are in memory at once. */
const PIECE_BYTES = 16 * 1024 * 1024
const BLOCK_BYTES = 1024 * 1024

// A name contains no slash, so only a new entry can begin with two.
const LIST = `find . -mindepth 1 -maxdepth 1 -exec stat -c '//%f %s %Y %n' {} + 2>/dev/null | head -c ${LISTED_BYTES}`

/** Lists a folder, folders first. `more`: some are left out. @throws FileError */
export async function listFolder(run: Run, path: string): Promise<{ files: ProgramFile[]; more: boolean }> {
  const { output } = await must(run, script(LIST, path))
  const files = parseList(output)
  const more = files.length > FILES_MAX || output.length >= LISTED_BYTES
  return { files: files.slice(0, FILES_MAX), more }
}

/** By the type of `stat`. */
const KINDS = new Map<number, ProgramFile['kind']>([
  [0x4000, 'folder'],
  [0x8000, 'file'],
  [0xa000, 'link'],
])

/** What \`stat\` printed, folders first, then by name. The last entry may be cut off. */
export function parseList(output: Uint8Array): ProgramFile[] {
  // One character for each byte, to find names that are no text.
  const bytes = Array.from({ length: Math.ceil(output.length / 8192) }, (_, index) =>
    String.fromCharCode(...output.subarray(index * 8192, (index + 1) * 8192)),
  ).join('')
  const entries = `\n${bytes}`.split('\n//').slice(1)
  return entries
    .flatMap((entry, index): ProgramFile[] => {
      const [, mode = '', size, seconds, raw = ''] = /^([0-9a-f]+) (\d+) (-?\d+) \.\/([\s\S]*)$/.exec(entry) ?? []
      const isLast = index === entries.length - 1
      // Each entry ends with a line break, and the split took that of all but the last.
      if (raw === '' || (isLast && !raw.endsWith('\n'))) return []
      const name = isLast ? raw.slice(0, -1) : raw
      const text = decode(name)
      return [
        {
          name: text ?? name.replaceAll(/[^\x20-\x7e]/g, '\ufffd'),
          kind: KINDS.get(Number.parseInt(mode, 16) & 0xf000) ?? 'other',
          size: Number(size),
          changed: Number(seconds) * 1000,
          unnamable: text === undefined,
        },
      ]
    })
    .sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || (a.name < b.name ? -1 : 1))
}

function decode(bytes: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return text.decode(Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** @throws FileError taken */
export const makeFolder = (run: Run, path: string, name: string): Promise<unknown> =>
  must(run, script(`[ -e "./$2" ] || [ -L "./$2" ] && exit ${TAKEN}; mkdir -- "./$2"`, path, name))

/** @throws FileError taken */
export const renameFile = (run: Run, path: string, name: string, to: string): Promise<unknown> =>
  must(run, script(`[ -e "./$3" ] || [ -L "./$3" ] && exit ${TAKEN}; mv -- "./$2" "./$3"`, path, name, to))

/** Removes a file, or a folder with everything in it. Of a link only the link. */
export const removeFile = (run: Run, path: string, name: string): Promise<unknown> =>
  must(run, script('rm -rf -- "./$2"', path, name))

// The file has its name only when it is complete. A link of that name is replaced, not followed.
const UPLOAD = `t="./.upload-$4"; trap 'rm -f -- "$t"' EXIT; cat > "$t" && if [ "$(wc -c < "$t")" -eq "$3" ]; then if [ -d "./$2" ]; then exit ${TAKEN}; fi; mv -f -- "$t" "./$2"; else exit ${INCOMPLETE}; fi`

/** Writes a file, which replaces one of the same name. @throws FileError taken (by a folder), incomplete, full */
export const uploadFile = (run: Run, path: string, name: string, file: Blob, onSent: (bytes: number) => void) =>
  must(
    run,
    script(UPLOAD, path, name, String(file.size), crypto.randomUUID().replaceAll('-', '').slice(0, 12)),
    file,
    onSent,
  )

const READ = `dd "if=./$2" bs=${BLOCK_BYTES} "skip=$3" "count=$4" iflag=fullblock 2>/dev/null`

/** The bytes of a file, piece by piece. @throws FileError incomplete, if it became shorter meanwhile */
export async function* readFile(
  run: Run,
  path: string,
  name: string,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < size; ) {
    const blocks = Math.ceil(Math.min(PIECE_BYTES, size - at) / BLOCK_BYTES)
    const { output } = await must(run, script(READ, path, name, String(at / BLOCK_BYTES), String(blocks)))
    const piece = output.subarray(0, size - at)
    if (piece.length < Math.min(blocks * BLOCK_BYTES, size - at)) throw new FileError('incomplete', '')
    yield piece
    at += piece.length
  }
}

async function must(run: Run, command: string[], input?: Blob, onSent?: (bytes: number) => void): Promise<Ended> {
  const ended = await run(command, input, onSent)
  if (ended.code === 0) return ended
  throw new FileError(problemOf(ended), ended.errors.trim().split('\n').at(-1)?.slice(0, 300) ?? '')
}

function problemOf({ code, errors }: Ended): FileProblem {
  if (code === NO_FOLDER) return 'noFolder'
  if (code === TAKEN) return 'taken'
  if (code === INCOMPLETE) return 'incomplete'
  if (code === 126 || code === 127) return 'noShell'
  if (/No space left|quota/i.test(errors)) return 'full'
  if (/Permission denied|not permitted/i.test(errors)) return 'denied'
  if (/Read-only/i.test(errors)) return 'readOnly'
  return /No such file/i.test(errors) ? 'gone' : 'failed'
}
