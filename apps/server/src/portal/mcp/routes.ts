import { AppError } from '@tidenet/contract'
import { createMcpServer, hasBatches, INSTRUCTIONS, type McpTool } from '@tidenet/contract/mcp/index'
import { refusal } from '@tidenet/daemon'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { serveModule } from '../../platform/http/operations.ts'
import { originOf } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { callAs } from './call.ts'
import { refuseHeaders, statusOf } from './headers.ts'
import { portalTools } from './tools.ts'

const VERSION = '0.1.0'
/** Messages are small: bytes of files never come here. */
const BODY_MAX = 64 * 1024
/** Calls per minute and address. */
const CALLS_MAX = 240

/** Any API key, in the header Authorization, as clients of MCP send it. */
const KEY_ROUTE = { auth: 'any', authorization: true } as const

interface Limiting {
  rateLimit(limit: { max: number; timeWindow: number }): onRequestAsyncHookHandler
}

/** Records a call in the log of the account, without its arguments and results. */
const record = (context: Context, caller: Member, ip: string, tool: McpTool, door: 'portal' | 'cli'): Promise<void> =>
  audit(context.db, context, caller, { ip }, { action: 'agent.call', subject: `tool:${tool}`, detail: { door } })

/**
 * MCP over streamable HTTP, without state and streams: every message is one request with one answer in JSON. Also the record of the calls
 * that agents make at the command line.
 */
export function serveMcp(serving: ServerServing, context: Context): void {
  const { app } = serving
  serveModule(serving, 'agents', {
    async record({ tool }, { caller, ip }) {
      await record(context, caller, ip, tool, 'cli')
      return {}
    },
  })
  const { rateLimit } = app as Partial<Limiting>
  app.post(
    '/mcp',
    {
      bodyLimit: BODY_MAX,
      ...(rateLimit && { onRequest: rateLimit({ max: CALLS_MAX, timeWindow: 60_000 }) }),
      // Keys that are limited to folders may use the tools too: each call of a tool is checked as the key’s own.
      config: { operation: 'agents.record' },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      // A page of another site must not talk to a portal that it reaches by a name of its own.
      const { origin } = request.headers
      if (origin !== undefined && origin !== originOf(context, request))
        return reply.code(403).send(refusal(new AppError('forbidden'), 'en'))
      const refused = refuseHeaders(request.headers, request.body)
      if (refused) return reply.code(400).send(refused)
      const key = await requireKey(serving, request, reply).catch((error: unknown) => error as Error)
      if (key instanceof Error) {
        if (!(key instanceof AppError)) throw key
        return reply.code(401).header('www-authenticate', 'Bearer').send(refusal(key, 'en'))
      }
      const { ip } = request
      const agent = request.headers['user-agent'] ?? ''
      const call = callAs(app, { key: key.secret, ip, agent })
      const handle = createMcpServer({
        version: VERSION,
        instructions: INSTRUCTIONS,
        call,
        tools: portalTools(call),
        record: (tool) => record(context, key.member, ip, tool, 'portal'),
        onFailure: (error) => request.log.error({ err: error }, 'a tool failed'),
      })
      const version = request.headers['mcp-protocol-version']?.toString()
      const answer = await handle(request.body, { batches: hasBatches(version) })
      if (!answer) return reply.code(202).send()
      return reply.code(statusOf(answer, request.body)).send(answer)
    },
  )
  // No streams from the server, and no sessions to end.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    handler: (_, reply) => reply.code(405).header('allow', 'POST').send(),
  })
}

/** @throws AppError if the request has no valid API key */
async function requireKey(serving: ServerServing, request: FastifyRequest, reply: FastifyReply) {
  // The log must name the key that the tools use.
  if (request.headers.jwtauthorization !== undefined || request.headers.apikey !== undefined)
    throw new AppError('keyRejected')
  const member = await serving.authenticate(request, reply, KEY_ROUTE as never)
  // A session has no caps, and does not end within a second when its owner ends the agent.
  if (member.kind !== 'member' || member.via !== 'key') throw new AppError('keyRejected')
  const secret = (request.headers.authorization ?? '').replace(/^Bearer +/i, '').trim()
  return { member, secret }
}
