/** Target of log lines. Never throws: a failing log must not end the program. */
export interface LogOutput {
  write(line: string): void
  /** Tries to write what is buffered, before the program ends. */
  flushSync(): void
}

/** Buffer limit for unwritten lines; further lines are dropped and counted. */
const KEPT_MAX = 1 << 20
/** Retry intervals: short for a slow reader, long for a full disk. */
const BEHIND_MS = 20
const REFUSED_MS = 1000

/**
 * Writes complete lines in order. If the disk is full or the reader is slow, buffers them and retries.
 * @param writeBytes writes some of the bytes and returns how many, as `writeSync` does
 * @param lost makes the line that reports dropped lines
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
      // The reader has closed the pipe.
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
