import { setFlagsFromString } from 'node:v8'

// Most commands end before optimized code would pay off: compiling it takes as much CPU time as the command, and from the processes it waits for.
// The default of V8 is 66 KiB of executed bytecode; what runs for longer is optimized all the same.
setFlagsFromString('--interrupt-budget=600000')
