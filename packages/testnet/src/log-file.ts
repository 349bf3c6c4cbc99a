import { fstatSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'

const LARGEST = 10 * 1024 * 1024

export interface LogFile {
  /** File descriptor for a child's output; close it after spawning. */
  readonly fd: number
  /** The last lines written since `appendLog`, at most `lines`. */
  tail(lines?: number): string
}

/** Opens a log file for appending. A file above 10 MiB is first renamed to `<file>.1`, replacing an older one. */
export function appendLog(file: string): LogFile {
  try {
    if (statSync(file).size > LARGEST) {
      rmSync(`${file}.1`, { force: true })
      renameSync(file, `${file}.1`)
    }
  } catch {
    // Does not exist yet.
  }
  const fd = openSync(file, 'a', 0o640)
  const from = fstatSync(fd).size
  return {
    fd,
    tail: (lines = 15) =>
      readFileSync(file).subarray(from).toString('utf8').trimEnd().split('\n').slice(-lines).join('\n'),
  }
}
