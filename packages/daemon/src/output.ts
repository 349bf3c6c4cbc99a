import process from 'node:process'

let surviving = false

/** Keeps the program running if its output fails because the disk is full or the reader is gone. */
export function surviveOutput(): void {
  if (surviving) return
  surviving = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Prints a line, or drops it if writing fails. Files fail synchronously, pipes later. */
export function writeLine(stream: NodeJS.WriteStream, line: string): void {
  try {
    stream.write(`${line}\n`)
  } catch {}
}
