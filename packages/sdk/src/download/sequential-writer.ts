import type { Target } from '../platform/platform.ts'
import type { OrderedTarget } from './ordered-target.ts'

/** Writes pieces in order into a target, 1 MiB at a time. */
export interface SequentialWriter {
  /** Bytes written or buffered so far. */
  readonly size: number
  write(piece: Uint8Array): Promise<void>
  /** Resolves when the target has received everything. */
  flush(): Promise<void>
  /** Starts again at offset 0; the target must allow rewriting. */
  restart(): void
}

const PIECE = 1 << 20

/** @param wrap converts an error of the target */
export function createSequentialWriter(
  target: Target | OrderedTarget,
  wrap: (error: Error) => Error,
): SequentialWriter {
  let size = 0
  let written = 0
  let buffer = new Uint8Array(PIECE)
  let filled = 0
  let pending: Promise<void> = Promise.resolve()

  const send = async () => {
    if (filled === 0) return
    const bytes = buffer.subarray(0, filled)
    const position = written
    written += filled
    buffer = new Uint8Array(PIECE)
    filled = 0
    await settled()
    // A streaming target would otherwise buffer without limit for a slow reader.
    pending = target.write([bytes], position).then(() => ('passed' in target ? target.passed() : undefined))
    pending.catch(() => {})
  }
  const settled = () =>
    pending.catch((error: Error) => {
      throw wrap(error)
    })

  return {
    get size() {
      return size
    },
    async write(piece) {
      size += piece.length
      for (let at = 0; at < piece.length; ) {
        const part = piece.subarray(at, at + PIECE - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === PIECE) await send()
      }
    },
    async flush() {
      await send()
      await settled()
    },
    restart() {
      size = 0
      written = 0
      filled = 0
    },
  }
}
