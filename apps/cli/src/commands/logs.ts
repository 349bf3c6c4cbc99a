import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { plainLine } from '@tidenet/contract/plain-line'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { interruptible } from '../interrupt.ts'
import { wholeNumber } from '../numbers.ts'
import { oneOf } from '../one-of.ts'
import { printLine, printMessage, printResult, reasonOf } from '../output.ts'
import { call } from '../portal.ts'
import { notRunning, programAt } from '../programs/console.ts'
import { readPastTime } from '../programs/past-time.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { plain } from '../width.ts'

interface LogOptions {
  follow?: true
  search?: string
  since?: string
  until?: string
  lines?: string
  download?: string
}

interface Line {
  n: number
  at: string
  text: string
  gap: boolean
}

const FOLLOW_EVERY_MS = 1000
const PAGE_LINES = 5000
const DEFAULT_LINES = 500

export function addLogsCommand(program: Command): void {
  const t = texts.programs
  program
    .command('logs')
    .description(texts.commands.logs)
    .argument('<workspace>', t.workspaceArgument)
    .argument('[program]', t.onlyProgramArgument)
    .option('-f, --follow', t.followOption)
    .option('--search <text>', t.searchOption)
    .option('--since <time>', t.sinceOption)
    .option('--until <time>', t.untilOption)
    .option('--lines <number>', t.linesOption)
    .option('--download <file>', t.downloadOption)
    .action(async (workspace: string, name: string | undefined, options: LogOptions) => {
      oneOf(options, ['follow', 'download'])
      oneOf(options, ['follow', 'until'])
      oneOf(options, ['lines', 'download'])
      const now = Date.now()
      const question = {
        ...(options.search !== undefined && { search: options.search }),
        ...(options.since !== undefined && { since: readPastTime(options.since, now) }),
        ...(options.until !== undefined && { until: readPastTime(options.until, now) }),
      }
      const lines = wholeNumber('--lines', options.lines ?? String(DEFAULT_LINES), 1)
      if (lines > PAGE_LINES) throw new CommandError(t.tooManyLines(PAGE_LINES), 'usage')
      const storage = signedIn()
      const { console, space, program: found } = await programAt(storage, workspace, name)
      const down = notRunning(space, found, storage.api.url)
      const read = (more: object) => call(console, 'clusters.logs', { id: found.id, ...question, ...more })
      if (options.download !== undefined) {
        const count = await download(read, options.download)
        if (options.download !== '-')
          printResult({ file: options.download, lines: count }, () => t.logSaved(options.download ?? '', count))
        return
      }
      const { lines: last, next, more } = await read({ lines })
      if (more) printMessage(t.moreLines)
      if (last.length === 0) printMessage(t.noLines)
      if (down !== undefined) printMessage(down)
      if (!options.follow) return printResult({ lines: last, next, more }, () => last.map(shown).join('\n'))
      for (const line of last) printLine(shown(line))
      await follow(read, next)
    })
}

type Read = (more: object) => Promise<{ lines: Line[]; next: number; more: boolean }>

/** Prints new lines until Ctrl-C. */
async function follow(read: Read, from: number): Promise<void> {
  let next = from
  const stopped = new AbortController()
  await interruptible(
    () => stopped.abort(),
    async () => {
      while (!stopped.signal.aborted) {
        const page = await read({ after: next, lines: PAGE_LINES })
        for (const line of page.lines) printLine(shown(line))
        next = page.next
        if (!page.more) await wait(FOLLOW_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {})
      }
    },
  )
}

/** Writes all lines that are kept, as they were printed. @returns their number */
async function download(read: Read, file: string): Promise<number> {
  const target = file === '-' ? process.stdout : createWriteStream(file, { flags: 'wx' })
  if (target !== process.stdout)
    await once(target, 'open').catch((error: unknown) => {
      throw new CommandError(texts.cannotWrite(file, reasonOf(error)))
    })
  let count = 0
  for (let after = 0; ; ) {
    const page = await read({ after, lines: PAGE_LINES })
    const text = page.lines
      .map(
        (line) => `${gapBefore(line)}${line.at} ${textOf(line, target === process.stdout && process.stdout.isTTY)}\n`,
      )
      .join('')
    if (text !== '' && !target.write(text)) await once(target, 'drain')
    count += page.lines.length
    after = page.next
    if (!page.more) break
  }
  if (target !== process.stdout) {
    target.end()
    await once(target, 'close')
  }
  return count
}

const gapBefore = ({ gap }: Line): string => (gap ? `${texts.programs.gap}\n` : '')

/** On a terminal without control characters, which could change what it shows. */
const textOf = ({ text }: Line, isTerminal: boolean): string => (isTerminal ? plain(plainLine(text)) : text)

const shown = (line: Line): string =>
  `${gapBefore(line)}${line.at.slice(0, 19).replace('T', ' ')} ${textOf(line, process.stdout.isTTY)}`
