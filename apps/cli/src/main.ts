// V8 options must be set before other modules are loaded.
import './start-fast.ts'
import { watchInterrupts } from './interrupt.ts'
import { showFailure } from './output.ts'
import { createProgram, isUsageError, usageFailure } from './program.ts'

// `tidenet ls | head -1` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
watchInterrupts()
void run(process.argv.slice(2))

// Not a top-level await: single executables start with CommonJS, which has none.
async function run(argv: string[]): Promise<void> {
  const program = createProgram()
  try {
    await program.parseAsync()
  } catch (error) {
    const failure = isUsageError(error) ? usageFailure(error, argv, program) : error
    if (failure) showFailure(failure)
  }
}
