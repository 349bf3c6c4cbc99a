/** Time as a value that is passed in; tests move it. Unix ms. */
export interface Clock {
  now(): number
}

/** The machine's clock with an offset that tests may change. */
export function createClock(): Clock & { move(offsetMs: number): void } {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    move(offsetMs) {
      offset = offsetMs
    },
  }
}
