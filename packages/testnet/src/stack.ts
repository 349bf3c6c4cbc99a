import { mkdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { runProgram, StartError } from '@tidenet/daemon/lifecycle'
import { onLauncherGone } from './launcher.ts'
import { createNetwork, type Network, type NetworkOptions } from './network.ts'
import { type SeededPerson, seedPeople } from './seed.ts'

const STOP_LIMIT_MS = 15_000
/** The usual RPC port of a chain. */
const CHAIN_PORT = 26_657
const PARTNER_PORT = 26_670
const INGRESS_PORT = 8070
const S3_PORT = 8071
const IPFS_PORT = 8072

/**
 * `npm start`: runs the whole network in one folder and restarts what fails, until it is stopped.
 *
 * | variable | | default |
 * |---|---|---|
 * | TIDENET_DATA | data folder | .tidenet |
 * | TIDENET_HOST, TIDENET_PORT | address of the portal | 127.0.0.1, 8080 |
 * | TIDENET_NODE_PORT | first node's port; taken ports are replaced | TIDENET_PORT + 1 |
 * | TIDENET_NODES, TIDENET_SERVERS | number of nodes and servers | 5, 1 |
 * | TIDENET_CHAIN_PORT | the development chain's port; a taken one is replaced | 26657 |
 * | TIDENET_PARTNER_PORT | the port of the points exchange's stand-in partner; a taken one is replaced | 26670 |
 * | TIDENET_INGRESS_PORT | the port of the addresses of programs; a taken one is replaced | 8070 |
 * | TIDENET_S3_PORT | the port of the gateway that speaks S3; a taken one is replaced | 8071 |
 * | TIDENET_IPFS_PORT | the port of the public IPFS gateway; a taken one is replaced | 8072 |
 * | TIDENET_EXCHANGE_PARTNER_URL | a partner instead of the stand-in | |
 * | TIDENET_CHAIN_RPC, CHAIN_RPC_URL | another chain instead of the development chain | |
 * | DATABASE_URL | a PostgreSQL to use instead of the embedded one | |
 */
export function runStack(env: NodeJS.ProcessEnv, programs?: NetworkOptions['programs']): void {
  let table = ''
  runProgram(
    async (life) => {
      const gone = onLauncherGone(env, () => life.stop('What started Tidenet is gone: stopping.'))
      const port = wholeNumber(env, 'TIDENET_PORT', 8080, 65_535)
      const data = resolve(env.TIDENET_DATA || '.tidenet')
      const began = Date.now()
      mkdirSync(data, { recursive: true, mode: 0o711 })
      // Test programs do not use a chain.
      const hasChain = !programs && !env.TIDENET_CHAIN_RPC?.trim() && !env.CHAIN_RPC_URL?.trim()
      const network = await createNetwork({
        data,
        port,
        host: env.TIDENET_HOST || '127.0.0.1',
        nodePort: wholeNumber(env, 'TIDENET_NODE_PORT', port + 1, 65_535),
        nodes: wholeNumber(env, 'TIDENET_NODES', 5, 200),
        servers: Math.max(1, wholeNumber(env, 'TIDENET_SERVERS', 1, 32)),
        external: true,
        chain: hasChain && { port: wholeNumber(env, 'TIDENET_CHAIN_PORT', CHAIN_PORT, 65_535) },
        // Never beside a chain whose coins have a value.
        partner: hasChain &&
          !env.TIDENET_EXCHANGE_PARTNER_URL?.trim() && {
            port: wholeNumber(env, 'TIDENET_PARTNER_PORT', PARTNER_PORT, 65_535),
          },
        ingress: !programs && { port: wholeNumber(env, 'TIDENET_INGRESS_PORT', INGRESS_PORT, 65_535) },
        s3: !programs && { port: wholeNumber(env, 'TIDENET_S3_PORT', S3_PORT, 65_535) },
        ipfs: !programs && { port: wholeNumber(env, 'TIDENET_IPFS_PORT', IPFS_PORT, 65_535) },
        mode: 'development',
        supervise: true,
        signal: life.stopping,
        log: (line) => process.stderr.write(`${line}\n`),
        onHopeless: (message) => life.stop(`${message}\nStopping: starting it again would not help.`, 1),
        ...(env.TIDENET_PUBLIC_URL ? { env: { TIDENET_PUBLIC_URL: env.TIDENET_PUBLIC_URL } } : {}),
        ...(programs ? { programs } : {}),
      })
      const people = await seedPeople(network.url, network.databaseUrl, data).catch((error: unknown) => {
        process.stderr.write(`The accounts to sign in with could not be created: ${(error as Error).message}\n`)
        return []
      })
      table = describeStack(network, people, Date.now() - began)
      return {
        ready: { url: network.url, data },
        async stop() {
          gone.cancel()
          process.stderr.write('Stopping.\n')
          await network.stop()
        },
      }
    },
    { stopLimitMs: STOP_LIMIT_MS, announce: () => process.stdout.write(table) },
  )
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, byDefault: number, most: number): number {
  const text = env[name]?.trim()
  if (!text) return byDefault
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new StartError(`${name}=${text} is not right: a whole number from 0 to ${most} is expected.`)
}

/** The table that `npm start` prints. */
export function describeStack(network: Network, people: readonly SeededPerson[], ms: number): string {
  const rows: [string, string][] = [
    ['Portal', network.url],
    ['API docs', `${network.url}/docs/api`],
    ['Mailbox', `${network.url}/dev/mailbox`],
    ...network.servers.slice(1).map(({ url }, index): [string, string] => [`Server ${index + 2}`, url]),
    ...(network.chain ? [['Chain', network.chain.url] as [string, string]] : []),
    ...(network.partner ? [['Exchange', `simulated partner, ${network.partner.url}`] as [string, string]] : []),
    ...(network.ingressUrl ? [['Programs', network.ingressUrl.replace('//', '//*.')] as [string, string]] : []),
    ...(network.s3Url ? [['S3', network.s3Url] as [string, string]] : []),
    ...(network.ipfsUrl ? [['IPFS', network.ipfsUrl] as [string, string]] : []),
    ['', ''],
    ...columns(network.nodes.map(({ name, kind, area, url }) => [name, kind, area, url])).map(
      (line, index): [string, string] => [index === 0 ? 'Nodes' : '', line],
    ),
    ['', ''],
    ...columns(people.map(({ name, signIn, password, note }) => [name, signIn, password ?? '', note ?? ''])).map(
      (line, index): [string, string] => [index === 0 ? 'Sign in as' : '', line],
    ),
    ...(people.length > 0 ? [['', ''] as [string, string]] : []),
    ['Data', relative(process.cwd(), network.data).startsWith('..') ? network.data : relative('.', network.data)],
    ['Stop', 'Ctrl-C'],
  ]
  const width = Math.max(...rows.map(([head]) => head.length))
  const lines = rows.map(([head, text]) => `  ${head.padEnd(width)}  ${text}`.trimEnd())
  return `\nTidenet is up (${(ms / 1000).toFixed(1)} s)\n\n${lines.join('\n')}\n\n`
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
