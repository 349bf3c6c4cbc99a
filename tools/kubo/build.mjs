import { ensureGoProgram } from '../go-program.mjs'

/** A Kubo node: the path of the program; it is built in some minutes. @throws ToolError */
export const ensureKubo = () =>
  ensureGoProgram({
    name: 'ipfs',
    module: 'github.com/ipfs/kubo',
    version: 'v0.42.0',
    sum: 'h1:mp40G/pAwckX54zJfIK3CTLK6S1Ae+Wa63g3I68W8cA=',
    path: './cmd/ipfs',
    folder: 'kubo',
    go: '1.26',
  })
