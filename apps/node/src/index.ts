/** The storage node, started inside another program; tests do that. */
export { createNode, type StorageNode } from './app.ts'
export { type NodeConfig, readNodeConfig } from './config.ts'
