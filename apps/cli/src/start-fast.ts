import { setFlagsFromString } from 'node:v8'

// Most commands end before optimized code pays off: compiling it takes as much CPU time as the command, which the processes it waits for need.
// The default of V8 is 66 KiB of executed bytecode. Code that runs for longer is still optimized.
setFlagsFromString('--interrupt-budget=600000')
