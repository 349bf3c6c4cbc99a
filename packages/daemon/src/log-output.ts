/** Where the lines of a log go. Nothing here throws: a program does not end because nobody takes its log. */
export interface LogOutput {
  write(line: string): void
  /** Tries once more, as before the program ends. */
  flushSync(): void
}

/** Lines that are not taken are kept up to this many bytes; what comes then is lost and counted. */
const KEPT_MAX = 1 << 20
/** A reader that is behind is asked again soon, a full disk less often. */
const BEHIND_MS = 20
const REFUSED_MS = 1000

/**
 * Writes lines as they come, in order and each whole; when the disk is full or the reader is behind they wait, and go on when they are
 * taken again.
 * @param writeBytes writes some of the bytes and says how many, as `writeSync` does
 * @param lost the line that says how many lines were lost
 */
export function createLogOutput(writeBytes: (bytes: Buffer) => number, lost: (lines: number) => string): LogOutput {
  let waiting: Buffer[] = []
  let size = 0
  let dropped = 0
  let ended = false
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    try {
      while (waiting.length > 0) {
        const first = waiting[0] as Buffer
        const written = writeBytes(first)
        size -= written
        if (written < first.length) waiting[0] = first.subarray(written)
        else waiting.shift()
        if (waiting.length > 0 || dropped === 0) continue
        const line = Buffer.from(lost(dropped))
        dropped = 0
        waiting = [line]
        size = line.length
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Nobody will ever read again.
      if (code === 'EPIPE' || code === 'EBADF') {
        ended = true
        waiting = []
        return
      }
      timer = setTimeout(flush, code === 'EAGAIN' || code === 'EBUSY' ? BEHIND_MS : REFUSED_MS)
      timer.unref()
    }
  }

  return {
    write(line) {
      if (ended) return
      const bytes = Buffer.from(line)
      if (size + bytes.length > KEPT_MAX) {
        dropped += 1
        return
      }
      waiting.push(bytes)
      size += bytes.length
      if (!timer) flush()
    },
    flushSync: flush,
  }
}
