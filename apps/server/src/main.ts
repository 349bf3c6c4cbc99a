import { runProgram } from '@tidenet/daemon/lifecycle'
import { loadConfig } from './config.ts'
import { startServer } from './server.ts'

await runProgram(async () => startServer(loadConfig(process.env)))
