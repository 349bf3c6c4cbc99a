import { ensureGoProgram } from '../go-program.mjs'

/** Pebble, a CA for tests: the path of the program; it is built in less than a minute. @throws ToolError */
export const ensurePebble = () =>
  ensureGoProgram({
    name: 'pebble',
    module: 'github.com/letsencrypt/pebble/v2',
    version: 'v2.10.1',
    sum: 'h1:oKHx3lgN4e5Nno2LKTMrVx+b+NkDptkO9aDireiBDGE=',
    path: './cmd/pebble',
    folder: 'pebble',
    go: '1.23',
  })
