import { plural } from './plural.ts'

/** The terminal. */
export const terminalTexts = {
  terminal: {
    title: (name: string) => `Terminal of ${name}`,
    input: 'Terminal input',
    tooMuch: 'Too much output to read aloud; you can move through the lines.',
    back: 'Back to the program',
    connecting: 'Connecting…',
    open: 'Connected',
    again: (seconds: number) => `Connection lost. Retrying in ${plural(seconds, 'second', 'seconds')}.`,
    fresh: 'reconnected: this is a new shell; the previous one has ended',
    ended: (code: number) => `The shell has ended with exit code ${code}.`,
    newShell: 'Start another shell',
    now: 'Try now',
    closed: {
      session: 'Your console session has ended. Open the console again.',
      unknown: 'This program no longer exists.',
      stopped: 'The program is not running. Start it, then connect again.',
      processes: 'The program has reached its process limit. End a process, or stop and start the program.',
      tooMany: 'Too many terminals are open. Close one, then connect again.',
      failed: 'The terminal could not be opened. The cluster may be temporarily unavailable. Try again in a moment.',
    },
    start: 'Start the program',
    leaveHint: 'Press F6 to leave the terminal. Tab stays in it.',
    reader: 'Screen reader',
    readerHint: 'Reads out what the terminal shows',
    copy: 'Copy selection',
    nothing: 'Nothing is selected',
    keys: 'Extra keys',
    larger: 'Larger text',
    smaller: 'Smaller text',
    size: (columns: number, rows: number) => `${columns} × ${rows}`,
  },
}
