import process from 'node:process'

let surviving = false

/** What a program prints must not end it when the disk is full or the reader has gone. */
export function surviveOutput(): void {
  if (surviving) return
  surviving = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Prints a line; one that is not taken is lost. Files in place of a terminal refuse at once, pipes later. */
export function writeLine(stream: NodeJS.WriteStream, line: string): void {
  try {
    stream.write(`${line}\n`)
  } catch {}
}
