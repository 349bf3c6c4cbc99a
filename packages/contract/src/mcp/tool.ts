import { z } from 'zod'
import type { OperationName, RouteOf } from '../contract.ts'
import type { Input, Output } from '../route.ts'
import type { McpTool } from './names.ts'

/** Hints for clients, which may ask their user before a call. */
export interface ToolHints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  /** Whether the call reaches people or systems outside the account. */
  openWorldHint: boolean
}

export interface ToolResult {
  data: Record<string, unknown>
  /** Content that others wrote. */
  untrusted?: string
}

export interface Tool {
  name: McpTool
  title: string
  description: string
  /** A strict object. */
  input: z.ZodType
  hints: ToolHints
  /** @throws ToolError for what the caller can do something about */
  run(input: unknown): Promise<ToolResult>
}

/** Says what went wrong and what to do, in a tool result. */
export class ToolError extends Error {
  /** `err` of the portal’s refusal. */
  readonly err: number | undefined
  constructor(message: string, err?: number) {
    super(message)
    this.name = 'ToolError'
    this.err = err
  }
}

/** Calls an operation of the portal with the credentials of the agent. @throws ToolError */
export type PortalCall = <N extends OperationName>(name: N, input: Input<RouteOf<N>>) => Promise<Output<RouteOf<N>>>

export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const ADDS: ToolHints = { ...READS, readOnlyHint: false, idempotentHint: false }
/** Of tools whose arguments can replace something. */
export const REPLACES: ToolHints = { ...ADDS, destructiveHint: true }

/** A tool whose `run` gets the parsed input. */
export function defineTool<S extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'run'> & { input: S; run(input: z.output<S>): Promise<ToolResult> },
): Tool {
  return tool as Tool
}

/** The path of a file or folder of the account. */
export const accountPath = z
  .string()
  .max(4000)
  .describe('Path in the account, such as /reports/2026/june.csv. / is the root.')
