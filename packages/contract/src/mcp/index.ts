/** Tools for agents, over the Model Context Protocol. */
export { INSTRUCTIONS } from './common-tools.ts'
export { MCP_TOOLS, type McpTool } from './names.ts'
export { fileAt, folderAt } from './places.ts'
export {
  createMcpServer,
  hasBatches,
  isMcpVersion,
  MCP_VERSIONS,
  RPC,
  type RpcAnswer,
  rpcError,
  unsupportedVersion,
} from './protocol.ts'
export { fieldsOf, MCP_ERRORS, readStateless, STATELESS_VERSION } from './stateless.ts'
export {
  ADDS,
  accountPath,
  defineTool,
  type PortalCall,
  READS,
  REPLACES,
  type Tool,
  ToolError,
  type ToolResult,
} from './tool.ts'
