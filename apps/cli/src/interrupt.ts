import { CommandError, EXIT } from './command-error.ts'
import { showFailure } from './output.ts'
import { texts } from './texts.ts'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

let gently: (() => void) | undefined
let passOn: ((signal: Signal) => void) | undefined

/** Exits with a message and the exit code of a cancelled command. */
export function exitCancelled(message = texts.cancelled): never {
  showFailure(new CommandError(message, 'cancelled'))
  process.exit(EXIT.cancelled)
}

/** Makes Ctrl-C exit with a message and the exit code of a cancelled command. */
export function watchInterrupts(): void {
  const onSignal = (signal: Signal) => {
    if (passOn) return passOn(signal)
    const step = gently
    gently = undefined
    if (step) step()
    else exitCancelled()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

/** Calls `stop` on the first Ctrl-C while `work` runs; a second one exits at once. */
export async function interruptible<T>(stop: () => void, work: () => Promise<T>): Promise<T> {
  gently = stop
  try {
    return await work()
  } finally {
    gently = undefined
  }
}

/** Calls `pass` for every signal while `work` runs, instead of ending this program. */
export async function passSignals<T>(pass: (signal: Signal) => void, work: () => Promise<T>): Promise<T> {
  const onHangUp = () => pass('SIGHUP')
  process.on('SIGHUP', onHangUp)
  passOn = pass
  try {
    return await work()
  } finally {
    passOn = undefined
    process.off('SIGHUP', onHangUp)
  }
}
