import { EXIT, Failed } from './failed.ts'
import { showFailure } from './output.ts'
import { texts } from './texts.ts'

let gently: (() => void) | undefined

/** Ends the program now: what the person asked for is over. */
export function leave(message = texts.cancelled): never {
  showFailure(new Failed(message, 'cancelled'))
  process.exit(EXIT.cancelled)
}

/** From now on Ctrl-C ends the command in words and with the exit code of a cancelled one. */
export function watchInterrupts(): void {
  const onSignal = () => {
    const step = gently
    gently = undefined
    if (step) step()
    else leave()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

/** What the first Ctrl-C does while `work` runs; a second one ends the program at once. */
export async function interruptible<T>(stop: () => void, work: () => Promise<T>): Promise<T> {
  gently = stop
  try {
    return await work()
  } finally {
    gently = undefined
  }
}
