import type { Target } from '../platform/platform.ts'
import type { OrderedTarget } from './ordered-target.ts'

/** Writes one piece after another into a target, a megabyte at a time. */
export interface Sequence {
  /** Bytes taken so far. */
  readonly size: number
  write(piece: Uint8Array): Promise<void>
  /** Everything taken is with the target. */
  flush(): Promise<void>
  /** Begins anew; the target must be one that takes a place twice. */
  restart(): void
}

const PIECE = 1 << 20

/** @param wrap turns what the target throws into what the caller wants to be thrown */
export function createSequence(target: Target | OrderedTarget, wrap: (error: Error) => Error): Sequence {
  let size = 0
  let written = 0
  let buffer = new Uint8Array(PIECE)
  let filled = 0
  let flying: Promise<void> = Promise.resolve()

  const send = async () => {
    if (filled === 0) return
    const bytes = buffer.subarray(0, filled)
    const position = written
    written += filled
    buffer = new Uint8Array(PIECE)
    filled = 0
    await landed()
    // A target that only passes on would otherwise gather what its reader is too slow for.
    flying = target.write([bytes], position).then(() => ('passed' in target ? target.passed() : undefined))
    flying.catch(() => {})
  }
  const landed = () =>
    flying.catch((error: Error) => {
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
      await landed()
    },
    restart() {
      size = 0
      written = 0
      filled = 0
    },
  }
}
