import { refuseBusy } from '../refusal.ts'
import { createPace, type Pace } from './pace.ts'

/** Limits concurrency; others wait in a queue for a short time. */
export interface Slots {
  readonly busy: number
  /** Resolves to a slot. Throws 503 after a timeout or if the queue is full. */
  enter(signal: AbortSignal): Promise<Place>
}

export interface Place {
  leave(): void
  /** Frees the slot for the next one and continues without it; false if too many do so already. */
  stepAside(): boolean
}

export function createSlots(options: { places: number; waiting: number; timeoutMs: number; aside: number }): Slots {
  let busy = 0
  let aside = 0
  const queue: (() => void)[] = []

  const release = () => {
    const next = queue.shift()
    if (next) next()
    else busy -= 1
  }
  const place = (): Place => {
    let at: 'in' | 'aside' | 'gone' = 'in'
    return {
      leave() {
        if (at === 'in') release()
        else if (at === 'aside') aside -= 1
        at = 'gone'
      },
      stepAside() {
        if (at !== 'in') return true
        if (aside >= options.aside) return false
        at = 'aside'
        aside += 1
        release()
        return true
      },
    }
  }

  return {
    get busy() {
      return busy
    },
    enter(signal) {
      if (busy < options.places) {
        busy += 1
        return Promise.resolve(place())
      }
      if (queue.length >= options.waiting || signal.aborted) return Promise.reject(refuseBusy())
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', give)
        }
        const turn = () => {
          done()
          resolve(place())
        }
        const give = () => {
          done()
          queue.splice(queue.indexOf(turn), 1)
          reject(refuseBusy())
        }
        const timer = setTimeout(give, options.timeoutMs)
        signal.addEventListener('abort', give)
        queue.push(turn)
      })
    },
  }
}

/** Slots are few: only senders with a valid token get one, and slow ones give it up. */
export async function inSlot<T>(slots: Slots, signal: AbortSignal, work: (pace: Pace) => Promise<T>): Promise<T> {
  const place = await slots.enter(signal)
  const pace = createPace(signal, place.stepAside)
  try {
    return await work(pace)
  } finally {
    pace.stop()
    place.leave()
  }
}
