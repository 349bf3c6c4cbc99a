import { Command } from 'commander'
import { addFileCommands } from './commands/files.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addNodeCommands } from './commands/nodes.ts'
import { addSessionCommands } from './commands/session.ts'
import { addShareCommand } from './commands/share.ts'
import { addTransferCommands } from './commands/transfers.ts'
import { EXIT, Failed } from './output.ts'
import { texts } from './texts.ts'

const program = new Command('tidenet')
  .description(texts.about)
  .version('0.1.0')
  .option('--json', texts.json)
  .showHelpAfterError()
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : EXIT.usage)
  })

addSessionCommands(program)
addFileCommands(program)
addTransferCommands(program)
addShareCommand(program)
addKeyCommands(program)
addNodeCommands(program)

try {
  await program.parseAsync()
} catch (error) {
  const failed = error instanceof Failed ? error : new Failed(error instanceof Error ? error.message : String(error))
  if (program.opts().json) console.log(JSON.stringify({ code: failed.code, msg: failed.message }))
  else console.error(failed.message)
  process.exitCode = EXIT[failed.exit]
}
