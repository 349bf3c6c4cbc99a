import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { isSea } from 'node:sea'
import { StartError } from '@tidenet/daemon/start-error'
import { ownPath } from '../updates/release.ts'
import type { Actions } from './commands.ts'
import { placeOfProgram, placeProgram } from './place-program.ts'

/** The commands for the service on this machine. */
export function machineActions(): Actions {
  const run: Actions['run'] = ([program = '', ...args]) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
    return { status, output: error?.message ?? `${stdout}${stderr}` }
  }
  return {
    machine: {
      platform: process.platform,
      env: process.env,
      home: homedir(),
      uid: process.geteuid?.(),
      account: userInfo().username,
      // As sd_booted(3) decides.
      hasSystemd: existsSync('/run/systemd/system'),
    },
    program: (data) =>
      isSea() ? [placeOfProgram(ownPath(), data)] : [process.execPath, resolve(process.argv[1] ?? '')],
    place: async (data) => {
      if (isSea()) await placeProgram(ownPath(), data)
    },
    print: (line) => process.stdout.write(`${line}\n`),
    run,
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    write: (path, content) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    },
    remove: (path) => rmSync(path, { force: true }),
    give: (folder, account) => {
      const { status, output } = run(['chown', '-R', account, folder])
      if (status !== 0) throw new StartError(output.trim())
    },
  }
}
