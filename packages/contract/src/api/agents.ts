import { z } from 'zod'
import { nothing } from '../fields.ts'
import { MCP_TOOLS } from '../mcp/names.ts'
import { route } from '../route.ts'

export const agents = {
  record: route({
    method: 'POST',
    path: '/api/v1/agents/record',
    auth: 'any',
    input: z.object({ tool: z.enum(MCP_TOOLS) }),
    output: nothing,
    errors: [],
    limit: 600,
    summary:
      'Records in the activity of the account that an AI agent uses a tool; `tidenet mcp` calls it before each tool',
  }),
}
