import { refuseBusy } from '../refusal.ts'

/** Lets a few in at a time; the others wait a little, in turn. */
export interface Slots {
  readonly busy: number
  /** Resolves to the function that gives the place back. Throws a 503 when it took too long or too many wait. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createSlots(options: { places: number; waiting: number; patienceMs: number }): Slots {
  let busy = 0
  const queue: (() => void)[] = []

  const leaving = () => {
    let left = false
    return () => {
      if (left) return
      left = true
      const next = queue.shift()
      if (next) next()
      else busy -= 1
    }
  }

  return {
    get busy() {
      return busy
    },
    enter(signal) {
      if (busy < options.places) {
        busy += 1
        return Promise.resolve(leaving())
      }
      if (queue.length >= options.waiting) return Promise.reject(refuseBusy())
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', give)
        }
        const turn = () => {
          done()
          resolve(leaving())
        }
        const give = () => {
          done()
          queue.splice(queue.indexOf(turn), 1)
          reject(refuseBusy())
        }
        const timer = setTimeout(give, options.patienceMs)
        signal.addEventListener('abort', give)
        queue.push(turn)
      })
    },
  }
}
