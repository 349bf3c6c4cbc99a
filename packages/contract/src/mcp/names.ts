/** The tools for agents. `download_file` is at the command line only, `begin_upload` and `finish_upload` at the portal only. */
export const MCP_TOOLS = [
  'list_files',
  'read_file',
  'download_file',
  'upload_file',
  'begin_upload',
  'finish_upload',
  'share_file',
  'usage',
  'order_price',
] as const
export type McpTool = (typeof MCP_TOOLS)[number]
