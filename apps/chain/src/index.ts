export { type ChainConfig, readChainConfig } from './config.ts'
export { type RunningChain, runChain } from './program.ts'
