import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { printResult } from '../output.ts'
import { call } from '../portal.ts'
import { collector } from '../programs/collector.ts'
import { connectWith } from '../programs/connect.ts'
import { programAt, requireRunning } from '../programs/console.ts'
import { runCommand } from '../programs/run-command.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

export function addExecCommand(program: Command): void {
  const t = texts.programs
  program
    .command('exec')
    .description(texts.commands.exec)
    .argument('<workspace>', t.workspaceArgument)
    .argument('<program>', t.programArgument)
    .argument('<command...>', t.commandArgument)
    .option('-t, --tty', t.ttyOption)
    .addHelpText('after', `\n${t.commandAfter}`)
    .action(
      async (workspace: string, name: string, command: string[], { tty = false }: { tty?: boolean }, self: Command) => {
        const { stdin, stdout, stderr } = process
        const isJson = Boolean(self.optsWithGlobals().json)
        if (tty && (!stdin.isTTY || isJson)) throw new CommandError(t.noTerminal, 'usage')
        const storage = signedIn()
        const { console, space, program: found } = await programAt(storage, workspace, name)
        requireRunning(storage, space, found)
        const { columns = 80, rows = 24 } = stdout
        const { ticket } = await call(console, 'clusters.exec', {
          id: found.id,
          command,
          tty,
          columns: Math.min(Math.max(columns, 1), 1000),
          rows: Math.min(Math.max(rows, 1), 1000),
        })
        const socket = await connectWith(storage.api.url, ticket)
        const [output, errors] = [collector(), collector()]
        const code = await runCommand(
          socket,
          tty,
          isJson ? { input: stdin, output, errors } : { input: stdin, output: stdout, errors: stderr },
        )
        if (isJson) printResult({ code, stdout: output.text(), stderr: errors.text() }, () => '')
        // As shells do: 255 also stands for a command whose code is not known.
        process.exitCode = code >= 0 && code <= 255 ? code : 255
      },
    )
}
