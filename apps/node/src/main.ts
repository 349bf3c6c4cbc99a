import { runProgram, StartError } from '@tidenet/daemon/lifecycle'
import { readFlags } from './flags.ts'
import { runLeave } from './leaving/command.ts'
import { runLimits } from './limits/command.ts'
import { runOpen } from './local/command.ts'
import { runMove } from './move/command.ts'
import { startProgramNode } from './run-node.ts'
import { machineActions } from './service/actions.ts'
import { COMMANDS, findService, runCommand } from './service/commands.ts'
import { startTextsOf } from './start-texts.ts'

const [first, ...rest] = process.argv.slice(2)
const command = COMMANDS.find((name) => name === first)
if (command) runCommand(command, rest, machineActions()).catch(fail)
else if (first === 'limits')
  runLimits(rest, process.env).then((lines) => process.stdout.write(`${lines.join('\n')}\n`), fail)
else if (first === 'leave') {
  const actions = machineActions()
  runLeave(rest, { env: process.env, installed: findService(actions)?.data, print: actions.print }).catch(fail)
} else if (first === 'move') {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new StartError('')))
  runMove(rest, machineActions(), interrupted.signal).catch(fail)
} else if (first === 'open') {
  const actions = machineActions()
  const { machine, print, run } = actions
  const { env, platform } = machine
  runOpen(rest, { env, platform, installed: findService(actions)?.data, print, run }).catch(fail)
} else {
  const flags = orFail(() => readFlags(process.argv.slice(2)))
  if ('print' in flags) process.stdout.write(`${flags.print}\n`)
  else {
    // Who opens the file by a double click, or without the options of the download page, learns what is missing.
    if (process.argv.length < 3 && !process.env.TIDENET_SERVER && !process.env.TIDENET_NODE_DATA)
      fail(new StartError(startTextsOf(process.env).noOptions))
    runProgram((life) => startProgramNode(life, flags.env, process.argv.slice(2)), {
      ...(process.stdout.isTTY && {
        announce: ({ id, registered }) => {
          const settings = { ...process.env, ...flags.env }
          const lines = startTextsOf(process.env).started(
            String(id),
            settings.TIDENET_NODE_DATA ?? '',
            registered === true,
          )
          process.stdout.write(`\n${lines.join('\n')}\n\n`)
        },
      }),
    })
  }
}

function orFail<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
