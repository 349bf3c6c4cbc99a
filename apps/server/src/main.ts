import { runProgram } from '@tidenet/daemon/lifecycle'
import { loadConfig } from './config.ts'
import { startServer } from './server.ts'

await runProgram(async ({ stopping }) => startServer(loadConfig(process.env), stopping))
