import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const dist = join(import.meta.dirname, '..', 'dist')

/** A program that logs and prints a lot; its exit code tells whether it ran to the end. */
const PROGRAM = `
  import { createLogger } from ${JSON.stringify(join(dist, 'logger.js'))}
  import { runProgram } from ${JSON.stringify(join(dist, 'lifecycle.js'))}
  const log = createLogger('test', 'info')
  runProgram(async (life) => {
    for (let i = 0; i < 3000; i += 1) log.info({ i }, 'a line')
    const more = setInterval(() => log.warn('another line'), 5)
    setTimeout(() => {
      clearInterval(more)
      life.stop('the end', 7)
    }, 300)
    return { ready: {}, stop: async () => {} }
  })
`

function run(out: number | 'pipe', hangUp = false): Promise<number | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', out, out] })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (hangUp) {
    child.stdout?.once('data', () => child.stdout?.destroy())
    child.stderr?.destroy()
  }
  return new Promise((resolve) => child.once('exit', resolve))
}

describe('a program whose output cannot be written', () => {
  it.skipIf(process.platform !== 'linux')('keeps running when the disk of its log is full', async () => {
    const full = openSync('/dev/full', 'w')
    expect(await run(full)).toBe(7)
    closeSync(full)
  })

  it('keeps running when the reader is gone', async () => {
    expect(await run('pipe', true)).toBe(7)
  })
})
