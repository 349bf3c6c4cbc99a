import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '@tidenet/daemon/start-error'
import { AREAS, areaAt, defaultNodes, type NodeKind, type NodeSpec } from './areas.ts'
import { type ChainHandle, chainSettings, startChain } from './chain.ts'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'
import { type DataLock, lockData } from './data-lock.ts'
import { createPrivateDatabase } from './database.ts'
import { type PartnerHandle, partnerSettings, startPartner } from './partner.ts'
import { freeOr, freePort, isFree } from './ports.ts'
import { type ProcessOptions, type Program, startProcess } from './processes.ts'
import { type RestartingPostgres, startRestartingPostgres } from './restarting-postgres.ts'

export interface NetworkOptions {
  /** Number or list of nodes. Default 5: two candidates, two edges and a validator in four areas. */
  readonly nodes?: number | readonly NodeSpec[]
  /** Number of servers sharing the database. Default 1. */
  readonly servers?: number
  /** Data folder. Default: a temporary folder, removed by `stop`. */
  readonly data?: string
  readonly host?: string
  /** Port of the first server. Default 0: any free one. */
  readonly port?: number
  /** First port of the nodes; taken ports are replaced by free ones. */
  readonly nodePort?: number
  /** A PostgreSQL to use instead of the embedded one. Without `data`, a temporary database is created on it. */
  readonly databaseUrl?: string
  /** A database there that the temporary one is a copy of, such as a migrated one. */
  readonly databaseTemplate?: string
  /** Take `databaseUrl` from DATABASE_URL if set. */
  readonly external?: boolean
  readonly mode?: 'development' | 'test'
  /** Environment of every program. */
  readonly env?: Readonly<Record<string, string>>
  /** Serve the programs of workspaces below `localhost`, at this port; a taken one is replaced. */
  readonly ingress?: { readonly port: number } | false
  /** Also run a gateway that speaks S3, at this port; a taken one is replaced. */
  readonly s3?: { readonly port: number } | false
  /** With `s3`: also serve what is published on IPFS, at this port; a taken one is replaced. */
  readonly ipfs?: { readonly port: number } | false
  /** Restart programs that exit unexpectedly. */
  readonly supervise?: boolean
  /**
   * Also run the development chain, in the folder `chain`; `port` is a preference, `blockMs` as in `startChain`. Without it the servers use
   * the chain of the environment, or none.
   */
  readonly chain?: boolean | { readonly port?: number; readonly blockMs?: number }
  /** Also run the stand-in for the partner of the points exchange, in the folder `partner`; `port` is a preference. */
  readonly partner?: boolean | { readonly port?: number }
  /** Programs to run instead of the compiled ones, for tests. The server of `stubs` does not report its nodes. */
  readonly programs?: { readonly server: string; readonly node: string; readonly stubs?: boolean }
  /** Settings of the embedded database, such as `{ fsync: 'off' }`. */
  readonly databaseSettings?: Readonly<Record<string, string>>
  /** Aborts a start; it then rejects after everything stopped. */
  readonly signal?: AbortSignal
  /** Receives messages for the user. Default: none. */
  readonly log?: (line: string) => void
  /** A program failed to start and a restart would not help; with its message. */
  readonly onHopeless?: (message: string) => void
}

export interface NodeHandle {
  readonly name: string
  readonly process: Program
  readonly url: string
  readonly id: string
  readonly kind: NodeKind
  readonly area: string
  readonly dataDir: string
}

export interface ServerHandle {
  readonly process: Program
  readonly url: string
}

export interface Network extends AsyncDisposable {
  /** URL of the first server: portal and API. */
  readonly url: string
  readonly urls: readonly string[]
  readonly databaseUrl: string
  readonly data: string
  readonly server: ServerHandle
  readonly servers: readonly ServerHandle[]
  readonly nodes: readonly NodeHandle[]
  /** Undefined with an external database. */
  readonly postgres: RestartingPostgres | undefined
  /** Undefined unless requested. */
  readonly chain: ChainHandle | undefined
  readonly partner: PartnerHandle | undefined
  /** Domain and port below which programs have addresses; empty unless requested. */
  readonly ingressUrl: string
  /** Address of the gateway that speaks S3; empty unless requested. */
  readonly s3Url: string
  /** The gateway that speaks S3. */
  readonly s3: Program | undefined
  /** Address of the public IPFS gateway; empty unless requested. */
  readonly ipfsUrl: string
  readonly joinToken: string
  addNode(spec?: NodeSpec): Promise<NodeHandle>
  /** Moves every program's clock by `ms`; resolves when all have applied it. */
  moveClock(ms: number): Promise<void>
  stop(): Promise<void>
}

const APPS = fileURLToPath(new URL('../../../apps/', import.meta.url))
const PROGRAMS = { server: join(APPS, 'server/dist/main.js'), node: join(APPS, 'node/dist/main.js') }
const S3_PROGRAM = join(APPS, 's3/dist/main.js')
const CAPACITY = 16 * 1024 ** 3

/**
 * Starts the whole network: database, servers and nodes, each in its own process. Resolves when all are ready.
 * @throws StartError after stopping everything
 */
export async function createNetwork(options: NetworkOptions = {}): Promise<Network> {
  const temporary = options.data === undefined
  const data = resolve(options.data ?? mkdtempSync(join(tmpdir(), 'tidenet-')))
  // mkdtemp denies access to all others, including the database's account.
  if (temporary) chmodSync(data, 0o711)
  makeDataFolder(data)
  const undo: (() => Promise<void> | void)[] = temporary ? [() => removeDataFolder(data)] : []
  let undone: Promise<void> | undefined
  const undoAll = () => {
    undone ??= (async () => {
      for (const step of undo.splice(0).reverse()) await step()
    })()
    return undone
  }
  try {
    const lock = await lockData(data, 'network')
    undo.push(lock.release)
    return await build(options, data, lock, undo, undoAll)
  } catch (error) {
    await undoAll()
    throw error
  }
}

async function build(
  options: NetworkOptions,
  data: string,
  lock: DataLock,
  undo: (() => Promise<void> | void)[],
  undoAll: () => Promise<void>,
): Promise<Network> {
  const log = options.log ?? (() => {})
  const host = options.host ?? '127.0.0.1'
  const programs = options.programs ?? PROGRAMS
  for (const script of [programs.server, programs.node]) {
    if (!existsSync(script)) throw new StartError(`${script} is missing: run npm run build.`)
  }
  const supervise = options.supervise ?? false
  const mode = options.mode ?? 'test'
  const joinToken = storedSecret(join(data, 'secrets', 'join-token'))
  const started: Program[] = []
  let ended = false
  const watch = (
    name: string,
  ): Pick<ProcessOptions, 'name' | 'restart' | 'onStart' | 'onExit' | 'onHopeless' | 'logFile'> => ({
    name,
    restart: supervise,
    logFile: join(data, 'logs', `${name}.log`),
    onStart: (pid) => lock.addChild(pid),
    onHopeless: (message) => {
      if (!ended) options.onHopeless?.(message)
    },
    onExit: (pid, { code, signal }, again) => {
      lock.removeChild(pid)
      if (!ended) log(`${name} ended (${signal ?? `exit code ${code}`})${again ? '; starting it again' : ''}.`)
    },
  })
  const run = (process: ProcessOptions): Program => {
    if (ended) throw new StartError(`${process.name} was not started: the network is stopping.`)
    const program = startProcess(process)
    started.push(program)
    return program
  }

  if (options.port && !(await isFree(options.port, host))) {
    throw new StartError(
      `Port ${options.port} is taken by another program. Set TIDENET_PORT to a free one: TIDENET_PORT=${options.port + 10} npm start`,
    )
  }
  const ports = [options.port || (await freePort(host))]
  while (ports.length < (options.servers ?? 1)) ports.push(await freePort(host))

  const { databaseUrl, postgres } = await openDatabase(options, data, supervise, log, undo)
  options.signal?.throwIfAborted()
  undo.push(async () => {
    ended = true
    await Promise.all(started.map((program) => program.stop()))
  })
  options.signal?.addEventListener('abort', () => void undoAll(), { once: true })

  // The caller's NODE_ENV is not the network's; a bundler changes it while it runs.
  const ofMode = { NODE_ENV: mode, TIDENET_ENV: mode }
  const chain = options.chain
    ? await openChain(options.chain === true ? {} : options.chain, data, { ...ofMode, ...options.env }, (own) =>
        run({ ...own, ...watch('chain') }),
      )
    : undefined
  options.signal?.throwIfAborted()
  const partner = options.partner
    ? await openPartner(options.partner === true ? {} : options.partner, data, ofMode, (own) =>
        run({ ...own, ...watch('partner') }),
      )
    : undefined
  options.signal?.throwIfAborted()

  const address = (port: number) => `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  const url = address(ports[0] ?? 0)
  const shared = { ...ofMode, TIDENET_JOIN_TOKEN: joinToken, ...options.env }
  const ingressPort = options.ingress ? await freeOr(options.ingress.port, host) : 0
  const ingressUrl = ingressPort > 0 ? `http://localhost:${ingressPort}` : ''
  const s3Port = options.s3 ? await freeOr(options.s3.port, host) : 0
  const s3Url = s3Port > 0 ? address(s3Port) : ''
  // The same program as the S3 gateway.
  const ipfsPort = s3Url && options.ipfs ? await freeOr(options.ipfs.port, host) : 0
  const ipfsUrl = ipfsPort > 0 ? address(ipfsPort) : ''
  const gatewaySecret = s3Url ? storedSecret(join(data, 'secrets', 's3-gateway.key')) : ''
  const serverEnv = {
    TIDENET_PUBLIC_URL: url,
    ...(s3Url && { TIDENET_S3_GATEWAY_SECRET: gatewaySecret, TIDENET_S3_URL: s3Url }),
    ...(ipfsUrl && {
      TIDENET_IPFS_URL: ipfsUrl,
      // Developers can import by CID what accounts publish, without a gateway of IPFS.
      ...(mode === 'development' && { TIDENET_IPFS_SOURCES: process.env.TIDENET_IPFS_SOURCES || ipfsUrl }),
    }),
    ...(chain && chainSettings(chain)),
    ...(partner && partnerSettings(partner)),
    ...(ingressUrl && { TIDENET_INGRESS_URL: ingressUrl }),
    ...shared,
    TIDENET_DATA: data,
    DATABASE_URL: databaseUrl,
  }
  const servers = ports.map((port, index) => ({
    url: address(port),
    process: run({
      ...watch(ports.length === 1 ? 'server' : `server-${index + 1}`),
      script: programs.server,
      env: { ...serverEnv, TIDENET_HOST: host, TIDENET_PORT: String(port) },
    }),
  }))
  // A process of its own: it moves the bytes of visitors.
  if (ingressUrl)
    run({
      ...watch('ingress'),
      script: programs.server,
      env: {
        ...serverEnv,
        TIDENET_ROLES: 'ingress',
        TIDENET_HOST: '127.0.0.1',
        TIDENET_PORT: String(await freePort()),
        TIDENET_INGRESS_HOST: host,
        TIDENET_INGRESS_PORT: String(ingressPort),
      },
    })

  const s3 = s3Url
    ? run({
        ...watch('s3'),
        nodeOptions: ['--max-semi-space-size=2'],
        script: S3_PROGRAM,
        env: {
          ...shared,
          TIDENET_SERVER: url,
          TIDENET_S3_HOST: host,
          TIDENET_S3_PORT: String(s3Port),
          TIDENET_S3_GATEWAY_SECRET: gatewaySecret,
          ...(ipfsUrl && { TIDENET_IPFS_HOST: host, TIDENET_IPFS_PORT: String(ipfsPort) }),
          TIDENET_S3_IMPORTS_POLL_MS: '500',
        },
      })
    : undefined

  const nodes: NodeHandle[] = []
  const names = new Set<string>()
  const startNode = async (spec: NodeSpec, index: number): Promise<NodeHandle> => {
    const kind = spec.kind ?? 'edge'
    const area = AREAS.find(({ name }) => name === spec.area)
    const place = { ...(area ?? areaAt(index)), ...(spec.area ? { name: spec.area } : {}) }
    let name = spec.name
    for (let number = 1; name === undefined; number++) {
      if (!names.has(`${kind}-${number}`)) name = `${kind}-${number}`
    }
    names.add(name)
    const dataDir = join(data, 'nodes', name)
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const port = await freeOr(spec.port ?? (options.nodePort ? options.nodePort + index : 0))
    const process = run({
      ...watch(name),
      script: programs.node,
      nodeOptions: ['--max-old-space-size=256'],
      ...(spec.within && { within: spec.within }),
      env: {
        ...shared,
        TIDENET_SERVER: url,
        TIDENET_NODE_NAME: name,
        TIDENET_NODE_HOST: '127.0.0.1',
        TIDENET_NODE_PORT: String(port),
        TIDENET_NODE_DATA: dataDir,
        TIDENET_NODE_KIND: kind,
        TIDENET_NODE_AREA: place.name,
        TIDENET_NODE_LAT: String(spec.lat ?? place.lat),
        TIDENET_NODE_LNG: String(spec.lng ?? place.lng),
        TIDENET_NODE_CAPACITY: String(spec.capacity ?? CAPACITY),
        // Ports chosen above as free must stay free.
        TIDENET_NODE_PAGE: 'off',
        ...(spec.url ? { TIDENET_NODE_URL: spec.url } : {}),
        ...spec.env,
      },
    })
    const ready = await process.ready
    return { name, process, kind, area: place.name, dataDir, url: String(ready.url), id: String(ready.id) }
  }
  const specs = typeof options.nodes === 'object' ? options.nodes : defaultNodes(options.nodes ?? 5)
  await Promise.all([...servers.map(({ process }) => process.ready), s3?.ready])
  nodes.push(...(await Promise.all(specs.map(startNode))))
  if (!options.programs?.stubs) await waitUntilUsable(url, nodes.length, options.signal)

  let offsetMs = 0
  const [server] = servers
  if (!server) throw new Error('a network has at least one server')
  return {
    url,
    urls: servers.map((each) => each.url),
    databaseUrl,
    data,
    server,
    servers,
    nodes,
    postgres,
    chain,
    partner,
    s3Url,
    s3,
    ipfsUrl,
    ingressUrl,
    joinToken,
    async addNode(spec = {}) {
      const node = await startNode(spec, nodes.length)
      if (offsetMs !== 0) await node.process.moveClock(offsetMs)
      nodes.push(node)
      return node
    },
    async moveClock(ms) {
      offsetMs += ms
      await Promise.all(started.map((program) => program.moveClock(offsetMs)))
    },
    stop: undoAll,
    [Symbol.asyncDispose]: undoAll,
  }
}

/** Waits until the server has reached all nodes; after a timeout continues without the missing ones. */
async function waitUntilUsable(url: string, count: number, signal: AbortSignal | undefined): Promise<void> {
  const end = Date.now() + 15_000
  while (Date.now() < end && !signal?.aborted) {
    const answer = await fetch(`${url}/api/v2/health`).then(
      (response) => response.json(),
      () => undefined,
    )
    if ((answer as { data?: { nodes_online?: number } } | undefined)?.data?.nodes_online === count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The chain keeps its port across restarts, because the servers are configured with it. */
async function openChain(
  { port, blockMs }: { port?: number; blockMs?: number },
  data: string,
  env: Readonly<Record<string, string>>,
  start: (options: ProcessOptions) => Program,
): Promise<ChainHandle> {
  return startChain({
    data: join(data, 'chain'),
    port: await freeOr(port),
    env,
    start,
    ...(blockMs === undefined ? {} : { blockMs }),
  })
}

/** The partner keeps its port across restarts, because the servers are configured with it. */
async function openPartner(
  { port }: { port?: number },
  data: string,
  env: Readonly<Record<string, string>>,
  start: (options: ProcessOptions) => Program,
): Promise<PartnerHandle> {
  const keyFile = join(data, 'secrets', 'exchange-partner-key')
  storedSecret(keyFile)
  const taken = await freeOr(port)
  return startPartner({ data: join(data, 'partner'), port: taken, keyFile, env }, start)
}

async function openDatabase(
  options: NetworkOptions,
  data: string,
  supervise: boolean,
  log: (line: string) => void,
  undo: (() => Promise<void> | void)[],
): Promise<{ databaseUrl: string; postgres: RestartingPostgres | undefined }> {
  const given = options.databaseUrl ?? (options.external ? process.env.DATABASE_URL : undefined)
  if (given && options.data !== undefined) return { databaseUrl: given, postgres: undefined }
  if (given) {
    const database = await createPrivateDatabase(given, options.databaseTemplate)
    undo.push(database.drop)
    return { databaseUrl: database.url, postgres: undefined }
  }
  const postgres = await startRestartingPostgres(
    { dataDir: data, settings: options.databaseSettings ?? {}, log },
    supervise,
  )
  undo.push(postgres.stop)
  return { databaseUrl: postgres.url, postgres }
}

/** A random secret stored in the data folder. 64 hex digits. */
function storedSecret(file: string): string {
  if (!existsSync(file)) {
    const draft = `${file}.new`
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
    renameSync(draft, file)
  }
  return readFileSync(file, 'utf8').trim()
}
