import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { nodeKindOf } from '@tidenet/contract/node-kinds'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { interruptible } from '../interrupt.ts'
import { printResult } from '../output.ts'
import { call } from '../portal.ts'
import { openStorage, readSession, readUrl } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'
import { addEarningsCommand } from './earnings.ts'

/** Path of the node's program: in the downloaded package or in the workspace. */
const NODES = ['./node/main.js', '../../../node/dist/main.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** In a single executable the node's program is inside, and this argument starts it; see tools/executables/bundle.mjs. */
const findNode = () => (isSea() ? 'node-program' : NODES.find((path) => existsSync(path)))

interface StartOptions {
  kind: string
  area?: string
  capacity: string
  data: string
  port: string
  place?: string
  host: string
  publicUrl?: string
  name?: string
  owner?: string
  url?: string
}

export function addNodeCommands(program: Command): void {
  const node = program.command('node').description(texts.commands.node)

  node
    .command('ls')
    .description(texts.commands.nodeList)
    .action(async () => {
      const { list } = await call(openStorage(), 'network.map', {})
      const { headers } = texts
      printResult({ list, total: list.length }, () =>
        list.length === 0
          ? texts.empty
          : table(
              [headers.kind, headers.area, headers.status, 'ID'],
              list.map((row) => [
                nodeKindOf(row.nodeType) ?? '',
                row.area_id,
                texts.nodeStates[row.status],
                row.node_id,
              ]),
            ),
      )
    })

  addEarningsCommand(node)

  node
    .command('start')
    .description(texts.commands.nodeStart)
    .option('--area <area>', texts.options.nodeArea)
    .option('--place <place>', texts.options.place)
    .option('--kind <kind>', texts.options.kind)
    .option('--capacity <bytes>', texts.options.capacity)
    .option('--data <folder>', texts.options.data)
    .option('--host <address>', texts.options.nodeHost)
    .option('--port <port>', texts.options.port)
    .option('--public-url <url>', texts.options.publicUrl)
    .option('--name <name>', texts.options.nodeName)
    .option('--owner <code>', texts.options.nodeOwner)
    .option('--url <url>', texts.url)
    .action(async (options: StartOptions) => {
      const program = findNode()
      if (!program) throw new CommandError(texts.nodeMissing)
      const env = { ...process.env, ...settingsOf(options) }
      // The node's output goes to standard error: standard output has only our result.
      const child = fork(program, { stdio: ['ignore', 2, 2, 'ipc'], env, execArgv: [] })
      child.on('message', (message: { type?: string; id?: string; url?: string }) => {
        const { type, id = '', url = '' } = message
        if (type === 'ready') printResult({ id, url }, () => texts.nodeReady(id, url))
      })
      // The node receives Ctrl-C too and decides when it has stopped.
      const [code] = await interruptible(
        () => child.kill('SIGTERM'),
        () => once(child, 'exit') as Promise<[number | null]>,
      )
      if (code !== 0) throw new CommandError(texts.nodeEnded)
    })
}

/** Environment variables of the node; see docs/OPERATIONS.md. */
function settingsOf(options: StartOptions): Record<string, string> {
  const { groups: { latitude = '', longitude = '' } = {} } =
    /^\s*(?<latitude>-?\d+(\.\d+)?)\s*,\s*(?<longitude>-?\d+(\.\d+)?)\s*$/.exec(options.place ?? '') ?? {}
  if (options.place !== undefined && latitude === '') throw new CommandError(texts.usage.badPlace, 'usage')
  return {
    TIDENET_SERVER: options.url === undefined ? readSession().url : readUrl(options.url),
    TIDENET_NODE_KIND: options.kind ?? 'edge',
    TIDENET_NODE_CAPACITY: options.capacity ?? '10GiB',
    TIDENET_NODE_DATA: options.data ?? '.tidenet-node',
    TIDENET_NODE_PORT: options.port ?? '0',
    TIDENET_NODE_HOST: options.host ?? '127.0.0.1',
    ...(options.area && { TIDENET_NODE_AREA: options.area }),
    ...(latitude !== '' && { TIDENET_NODE_LAT: latitude, TIDENET_NODE_LNG: longitude }),
    ...(options.name && { TIDENET_NODE_NAME: options.name }),
    ...(options.owner && { TIDENET_NODE_OWNER: options.owner }),
    ...(options.publicUrl && { TIDENET_NODE_URL: readUrl(options.publicUrl) }),
  }
}
