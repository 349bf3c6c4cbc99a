import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { dataOf, Failed, show, table } from '../output.ts'
import { openStorage, readSession } from '../session.ts'
import { texts } from '../texts.ts'

/** The node's program lies beside this one in the workspace. */
const NODE = fileURLToPath(new URL('../../../node/dist/main.js', import.meta.url))
const KINDS = ['', 'edge', 'candidate', 'validator']

interface StartOptions {
  kind: string
  area: string
  capacity: string
  data: string
  port: string
  place: string
  publicUrl?: string
  url?: string
}

export function addNodeCommands(program: Command): void {
  const node = program.command('node').description(texts.commands.node)

  node
    .command('ls')
    .description(texts.commands.nodeList)
    .action(async (_: object, command: Command) => {
      const { list } = dataOf(await openStorage().api.call('network.map', {}))
      const { headers } = texts
      show(command.optsWithGlobals().json, list, () =>
        list.length === 0
          ? texts.empty
          : table(
              [headers.name, headers.kind, headers.area, headers.status, 'ID'],
              list.map((row) => [row.name, KINDS[row.nodeType] ?? '', row.area_id, row.status, row.node_id]),
            ),
      )
    })

  node
    .command('start')
    .description(texts.commands.nodeStart)
    .option('--kind <kind>', texts.options.kind, 'edge')
    .requiredOption('--area <area>', texts.options.nodeArea)
    .requiredOption('--place <latitude,longitude>', texts.options.place)
    .option('--capacity <bytes>', texts.options.capacity, '10GiB')
    .option('--data <folder>', texts.options.data, '.tidenet-node')
    .option('--port <port>', texts.options.port, '0')
    .option('--public-url <url>', texts.options.publicUrl)
    .option('--url <url>', texts.url)
    .action(async (options: StartOptions) => {
      if (!existsSync(NODE)) throw new Failed(texts.nodeMissing)
      const [latitude = '', longitude = ''] = options.place.split(',')
      const child = spawn(process.execPath, [NODE], {
        stdio: 'inherit',
        env: {
          ...process.env,
          TIDENET_SERVER: options.url ?? readSession().url,
          TIDENET_NODE_KIND: options.kind,
          TIDENET_NODE_AREA: options.area,
          TIDENET_NODE_CAPACITY: options.capacity,
          TIDENET_NODE_DATA: options.data,
          TIDENET_NODE_PORT: options.port,
          TIDENET_NODE_LAT: latitude.trim(),
          TIDENET_NODE_LNG: longitude.trim(),
          ...(options.publicUrl && { TIDENET_NODE_URL: options.publicUrl }),
        },
      })
      // Ctrl-C reaches the node as well; it decides when it has ended.
      process.on('SIGINT', () => {})
      process.on('SIGTERM', () => child.kill('SIGTERM'))
      const [code] = (await once(child, 'exit')) as [number | null]
      process.exitCode = code ?? 1
    })
}
