import { runStack } from './stack.ts'

runStack(process.env)
