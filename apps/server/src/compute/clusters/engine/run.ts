import { execFile } from 'node:child_process'

/** Runs a program of this machine without a shell. @returns its output @throws Error with its error output */
export function run(program: string, args: readonly string[], input?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: 60_000, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program}: ${stderr.trim() || error.message}`))
      else resolve(stdout)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}
