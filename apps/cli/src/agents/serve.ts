import { homedir } from 'node:os'
import { resolve } from 'node:path'
import {
  createMcpServer,
  INSTRUCTIONS,
  type PortalCall,
  RPC,
  type RpcAnswer,
  rpcError,
  ToolError,
} from '@tidenet/contract/mcp/index'
import { isSuccess, type Storage } from '@tidenet/storage'
import { Semaphore } from 'async-mutex'
import { CommandError } from '../command-error.ts'
import { configFolder } from '../config-folder.ts'
import { texts } from '../texts.ts'
import { VERSION } from '../version.ts'
import { linesOf } from './lines.ts'
import { isTooWide, openRoot, realPathOf } from './root.ts'
import { localTools } from './tools.ts'

/** Messages are small: files are named by their paths. */
const LINE_MAX = 1024 * 1024
/** Further messages are not read meanwhile. */
const CALLS_MAX = 8

/**
 * Serves MCP over standard input and output, one message per line, until the input ends. Standard output has nothing else.
 * @param folder the only local folder that agents can use
 * @throws CommandError 'notFound'; 'usage' if it has the home folder or credentials in it
 */
export async function serveAgents(storage: Storage, folder: string): Promise<void> {
  const root = await openRoot(folder).catch((error: Error) => {
    throw new CommandError(error.message, 'notFound')
  })
  const [home, config] = await Promise.all([realPathOf(homedir()), realPathOf(resolve(configFolder()))])
  if (isTooWide(root.path, { home, config })) throw new CommandError(texts.usage.wideRoot(root.path), 'usage')
  const call: PortalCall = async (name, input) => {
    const result = await storage.api.call(name, input)
    if (isSuccess(result)) return result.data as never
    throw new ToolError(result.msg, result.data.err)
  }
  const handle = createMcpServer({
    version: VERSION,
    instructions: `${INSTRUCTIONS} Local files are those in ${root.path} only.`,
    call,
    tools: localTools(storage, call, root),
    record: async (tool) => void (await call('agents.record', { tool })),
    onFailure: (error) => console.error(error),
  })
  const calls = new Semaphore(CALLS_MAX)
  for await (const line of linesOf(process.stdin, LINE_MAX)) {
    if (line?.trim() === '') continue
    await calls.acquire()
    // Long calls do not keep others waiting.
    void answerTo(line, handle)
      .then((answer) => answer && process.stdout.write(`${JSON.stringify(answer)}\n`))
      // One message must not end the program, which answers others meanwhile.
      .catch((error: unknown) => console.error(error))
      .finally(() => calls.release())
  }
  await calls.acquire(CALLS_MAX)
}

async function answerTo(
  line: string | undefined,
  handle: ReturnType<typeof createMcpServer>,
): Promise<RpcAnswer | RpcAnswer[] | undefined> {
  if (line === undefined) return rpcError(null, RPC.request, 'The message is too long.')
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return rpcError(null, RPC.parse, 'The message is not JSON.')
  }
  return handle(message, { batches: true })
}
