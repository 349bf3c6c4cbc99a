import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from './command-error.ts'
import { exitCancelled } from './interrupt.ts'
import { texts } from './texts.ts'

const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() })

export const isInteractive = (): boolean => Boolean(process.stdin.isTTY)

/**
 * Prompts on the terminal. Input of a hidden prompt is not shown.
 * @param instead the option that provides the answer in scripts
 * @throws CommandError 'usage' without a terminal
 */
export async function prompt(question: string, { hidden = false, instead = '' } = {}): Promise<string> {
  if (!isInteractive()) throw new CommandError(texts.usage.notInteractive(instead), 'usage')
  if (hidden) process.stderr.write(question)
  const answer = await readLine(hidden ? { output: silent() } : { output: process.stderr, question })
  if (hidden) process.stderr.write('\n')
  return hidden ? answer : answer.trim()
}

/** Reads a line from standard input, with a prompt on terminals. */
export async function promptOrRead(question: string): Promise<string> {
  return isInteractive() ? prompt(question) : (await readLine({})).trim()
}

function readLine({ output, question = '' }: { output?: Writable; question?: string }): Promise<string> {
  const lines = createInterface({
    input: process.stdin,
    ...(output && { output }),
    terminal: output !== undefined,
    historySize: 0,
  })
  return new Promise((resolve) => {
    let answer: string | undefined
    lines.once('line', (line) => {
      answer = line
      lines.close()
    })
    // Ctrl-C, Ctrl-D, or end of input without an answer.
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => {
      if (answer !== undefined) return resolve(answer)
      if (output) process.stderr.write('\n')
      exitCancelled()
    })
    lines.setPrompt(question)
    if (output) lines.prompt()
  })
}

/** All of standard input, without a trailing line break. */
export async function readInput(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) text += chunk
  return text.replace(/\r?\n$/, '')
}

/** The passphrase from `TIDENET_PASSPHRASE` or a prompt; a new one is typed twice. @throws CommandError 'usage' */
export async function promptPassphrase({ twice }: { twice: boolean }): Promise<string> {
  const given = process.env.TIDENET_PASSPHRASE
  const passphrase = given ?? (await prompt(texts.ask.passphrase, { hidden: true, instead: 'TIDENET_PASSPHRASE' }))
  if (passphrase === '') throw new CommandError(texts.usage.emptyPassphrase, 'usage')
  if (given === undefined && twice && (await prompt(texts.ask.again, { hidden: true })) !== passphrase)
    throw new CommandError(texts.notTheSame, 'usage')
  return passphrase
}
