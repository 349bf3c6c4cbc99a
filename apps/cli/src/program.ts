import { Command, CommanderError, type Help } from 'commander'
import { CommandError } from './command-error.ts'
import { addCarCommands } from './commands/car.ts'
import { addEndingCommand } from './commands/ending.ts'
import { addExecCommand } from './commands/exec.ts'
import { addExportCommand } from './commands/export.ts'
import { addFileCommands } from './commands/files.ts'
import { addForwardCommand } from './commands/forward.ts'
import { addGetCommand } from './commands/get.ts'
import { addImportCommands } from './commands/imports.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addLinkCommands } from './commands/links.ts'
import { addLogsCommand } from './commands/logs.ts'
import { addListCommand } from './commands/ls.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addNodeCommands } from './commands/nodes.ts'
import { addOrderCommands } from './commands/order.ts'
import { addProgramsCommand } from './commands/programs.ts'
import { addPublishCommands } from './commands/publish.ts'
import { addReceiptCommand } from './commands/receipt.ts'
import { addSessionCommands } from './commands/session.ts'
import { addShareCommand } from './commands/share.ts'
import { addUpCommand } from './commands/up.ts'
import { addVaultCommand } from './commands/vault.ts'
import { addVerifyCommand } from './commands/verify.ts'
import { addVersionsCommand } from './commands/versions.ts'
import { wantsJson } from './output.ts'
import { texts } from './texts.ts'
import { VERSION } from './version.ts'
import { width } from './width.ts'

const { help, usage } = texts

/** The command line. Throws CommanderError instead of exiting; see `usageFailure`. */
export function createProgram(): Command {
  const program = new Command('tidenet')
    .description(texts.about)
    // `get` has a --version of its own; options of the program would be read first.
    .version(VERSION, isGet(process.argv) ? '-V' : '-V, --version', help.version)
    .option('--json', texts.json)
    .helpOption('-h, --help', help.helpOption)
    .helpCommand('help [command]', help.helpCommand)
    .addHelpText('after', moreHelp)
    .configureHelp(helpSettings)
    // `usageFailure` prints errors; with `--json` there is no help page either.
    .configureOutput({ outputError: () => {}, ...(wantsJson(process.argv) && { writeErr: () => {} }) })
    .exitOverride()
  addSessionCommands(program)
  addListCommand(program)
  addUpCommand(program)
  addGetCommand(program)
  addExportCommand(program)
  addCarCommands(program)
  addImportCommands(program)
  addFileCommands(program)
  addShareCommand(program)
  addPublishCommands(program)
  addLinkCommands(program)
  addReceiptCommand(program)
  addVersionsCommand(program)
  addEndingCommand(program)
  addVaultCommand(program)
  addKeyCommands(program)
  addOrderCommands(program)
  addProgramsCommand(program)
  addLogsCommand(program)
  addExecCommand(program)
  addForwardCommand(program)
  addNodeCommands(program)
  addVerifyCommand(program)
  addMcpCommand(program)
  return program
}

const isGet = (argv: readonly string[]): boolean => argv.slice(2).find((word) => !word.startsWith('-')) === 'get'

/** Commands inherit settings only if these are set before they are created. */
const helpSettings: Partial<Help> = {
  showGlobalOptions: true,
  // Commander would add defaults in English, and empty ones: the texts name those that matter.
  argumentDescription: ({ description }) => description,
  optionDescription: ({ description }) => description,
  displayWidth: width,
  visibleGlobalOptions: (command) => {
    let root = command
    while (root.parent) root = root.parent
    return root === command ? [] : root.options.filter(({ long }) => long === '--json')
  },
  styleTitle: (title) =>
    ({
      'Usage:': help.usage,
      'Arguments:': help.arguments,
      'Options:': help.options,
      'Global Options:': help.globalOptions,
      'Commands:': help.commands,
    })[title] ?? title,
  styleUsage: translated,
  styleSubcommandTerm: translated,
}

function translated(term: string): string {
  return term.replaceAll('[options]', help.anyOptions).replaceAll('[command]', help.anyCommand)
}

function moreHelp(): string {
  const column = Math.max(...help.variables.map(([name]) => name?.length ?? 0)) + 2
  const lines = help.variables.map(([name = '', text = '']) => `  ${name.padEnd(column)}${text}`)
  return `\n${[help.more, ...lines, '', help.exitCodes].join('\n')}`
}

/** The error for an invalid command line; undefined if help was shown. */
export function usageFailure(
  error: CommanderError,
  argv: readonly string[],
  program: Command,
): CommandError | undefined {
  if (error.exitCode === 0) return undefined
  const quoted = [...error.message.matchAll(/'([^']*)'/g)].map(([, text]) => text ?? '')
  const [first = ''] = quoted
  const suggestion = /\(Did you mean (?:one of )?([^,?)]+)/.exec(error.message)?.[1]
  const messages: Record<string, string> = {
    'commander.unknownCommand': usage.unknownCommand(first),
    'commander.unknownOption': usage.unknownOption(first),
    'commander.missingArgument': usage.missingArgument(first),
    'commander.optionMissingArgument': usage.optionMissingArgument(first),
    'commander.missingMandatoryOptionValue': usage.missingOption(first),
    'commander.excessArguments': usage.tooMany,
    'commander.help': usage.noCommand,
  }
  const called = calledCommand(argv, program)
  return new CommandError(
    [
      messages[error.code] ?? error.message.replace(/^error: /, ''),
      ...(suggestion ? [usage.suggestion(suggestion)] : []),
      // Options before `--` are ours.
      ...(error.code === 'commander.unknownOption' && called === 'tidenet exec' ? [texts.programs.commandAfter] : []),
      ...(error.code === 'commander.help' ? [] : [usage.seeHelp(called)]),
    ].join('\n'),
    'usage',
  )
}

/** The command as typed: `tidenet key create`. */
function calledCommand(argv: readonly string[], program: Command): string {
  let command = program
  const names = [program.name()]
  for (const word of argv.filter((text) => !text.startsWith('-'))) {
    const next = command.commands.find((one) => one.name() === word)
    if (!next) break
    command = next
    names.push(word)
  }
  return names.join(' ')
}

export const isUsageError = (error: unknown): error is CommanderError => error instanceof CommanderError
