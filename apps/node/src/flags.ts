import { parseArgs } from 'node:util'
import { StartError } from '@tidenet/daemon/start-error'
import { VERSION } from './server-link.ts'
import { readRelease } from './updates/release.ts'

/** Command-line options and their environment variables. */
const FLAGS: readonly { flag: string; variable: string; value: string; text: string }[] = [
  { flag: 'server', variable: 'TIDENET_SERVER', value: '<url>', text: 'the portal of the network' },
  { flag: 'data', variable: 'TIDENET_NODE_DATA', value: '<folder>', text: 'identity and content; one folder per node' },
  {
    flag: 'area',
    variable: 'TIDENET_NODE_AREA',
    value: '<area>',
    text: 'Continent-Country-Province-City; default: that of its address',
  },
  { flag: 'place', variable: '', value: '<lat,lng>', text: 'location in degrees, for the map' },
  { flag: 'kind', variable: 'TIDENET_NODE_KIND', value: '<kind>', text: 'edge, candidate or validator' },
  { flag: 'capacity', variable: 'TIDENET_NODE_CAPACITY', value: '<bytes>', text: 'such as 500GiB' },
  { flag: 'host', variable: 'TIDENET_NODE_HOST', value: '<address>', text: 'address to listen on' },
  { flag: 'port', variable: 'TIDENET_NODE_PORT', value: '<port>', text: 'port to listen on; 0 for any free port' },
  { flag: 'public-url', variable: 'TIDENET_NODE_URL', value: '<url>', text: 'public address of the node' },
  {
    flag: 'direct',
    variable: 'TIDENET_NODE_DIRECT',
    value: '<how>',
    text: 'be reached without a relay: auto, off, or at this address:port',
  },
  { flag: 'relay', variable: 'TIDENET_NODE_RELAY', value: '<address>', text: 'serve as a relay at this address:port' },
  { flag: 'name', variable: 'TIDENET_NODE_NAME', value: '<name>', text: 'shown in the explorer' },
  { flag: 'join-token', variable: 'TIDENET_JOIN_TOKEN', value: '<token>', text: 'for candidates and validators' },
  { flag: 'owner', variable: 'TIDENET_NODE_OWNER', value: '<code>', text: 'owner code from the portal' },
  { flag: 'page', variable: 'TIDENET_NODE_PAGE', value: '<port>', text: 'of the page on this machine; off: none' },
  { flag: 'release-key', variable: 'TIDENET_NODE_RELEASE_KEY', value: '<key>', text: 'public key that signs updates' },
  { flag: 'log-level', variable: 'TIDENET_LOG_LEVEL', value: '<level>', text: 'debug, info, warn, error' },
]

/** The parsed command line: variables that override the environment, or a text to print before exiting. */
export type ParsedFlags = { env: Record<string, string> } | { print: string }

/**
 * Parses `--flag value` and `--flag=value`.
 * @throws StartError for unknown options and missing values
 */
export function readFlags(argv: readonly string[]): ParsedFlags {
  if (argv.includes('--version') || argv.includes('-V')) return { print: VERSION }
  if (argv.includes('--release')) return { print: JSON.stringify(readRelease() ?? null) }
  if (argv.includes('--help') || argv.includes('-h')) return { print: help() }
  const options = Object.fromEntries(FLAGS.map(({ flag }) => [flag, { type: 'string' as const }]))
  // Strict parsing would take the minus of `--place -33.9,151.2` for an option.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true })
  const env: Record<string, string> = {}
  for (const token of tokens) {
    const known = token.kind === 'option' ? FLAGS.find(({ flag }) => flag === token.name) : undefined
    if (token.kind !== 'option' || !known)
      throw new StartError(`Unknown option: ${argv[token.index]}. See tidenet-node --help.`)
    const { value, inlineValue } = token
    if (!value || (!inlineValue && value.startsWith('--')))
      throw new StartError(`--${known.flag} needs ${known.value}.`)
    if (known.flag === 'place') Object.assign(env, placeOf(value))
    else env[known.variable] = value
  }
  return { env }
}

function placeOf(text: string): Record<string, string> {
  const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  if (!latitude || !longitude) throw new StartError('--place must be <lat,lng>, such as 50.1,8.7.')
  return { TIDENET_NODE_LAT: latitude, TIDENET_NODE_LNG: longitude }
}

function help(): string {
  const rows = FLAGS.map(({ flag, value, variable, text }) => [`--${flag} ${value}`, text, variable] as const)
  const [wide, wider] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) as [
    number,
    number,
  ]
  return [
    'Usage: tidenet-node --server <url> --data <folder> [options]',
    '       tidenet-node install [--system --run-as <account>] [--dry-run] <the same options>',
    '       tidenet-node uninstall [--system] [--dry-run]',
    '       tidenet-node status [--system] [--data <folder>]',
    '       tidenet-node limits --data <folder> [--space 50GiB] [--rate 8-22=5Mbit/s] [--monthly 500GB] [--pause | --continue] [--updates on | off]',
    '       tidenet-node open [--data <folder>] [--print]',
    '       tidenet-node move <new folder> [--data <folder>]',
    '       tidenet-node leave [--data <folder>] [--cancel] [--no-wait]',
    '',
    'Stores and serves content of a Tidenet network. Each option can also be set as an environment variable.',
    '',
    ...rows.map(([flag, text, variable]) => `  ${flag.padEnd(wide + 2)}${text.padEnd(wider + 2)}${variable}`.trimEnd()),
    `  ${'--version'.padEnd(wide + 2)}show the version`,
    '',
  ].join('\n')
}
