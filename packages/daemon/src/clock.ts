/** A clock that is passed in, so that tests can move it. Unix ms. */
export interface Clock {
  now(): number
}

/** The system clock plus an offset that tests may change. */
export function createClock(): Clock & { move(offsetMs: number): void } {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    move(offsetMs) {
      offset = offsetMs
    },
  }
}
