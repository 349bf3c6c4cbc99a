import { setFlagsFromString } from 'node:v8'
import { createLogger } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { readGatewayConfig } from './config.ts'
import { startImports } from './imports/worker.ts'
import { readIpfsConfig } from './ipfs/config.ts'
import { startIpfsGateway } from './ipfs/server.ts'
import { startGateway } from './server.ts'

// By default, the heap of V8 grows to two or three times the live objects before garbage is collected: 60 MiB of garbage with 50 downloads at a time.
setFlagsFromString('--heap-growing-percent=30')

runProgram(async (life) => {
  const config = readGatewayConfig(process.env)
  const log = createLogger('s3', config.logLevel)
  let offset = 0
  life.onClock((ms) => {
    offset = ms
  })
  const ipfsConfig = readIpfsConfig(process.env, config)
  const deps = { log, now: () => Date.now() + offset }
  const gateway = await startGateway(config, deps)
  const ipfs = ipfsConfig && (await startIpfsGateway(ipfsConfig, deps))
  const imports =
    'gatewaySecret' in config.access && config.imports > 0
      ? startImports(
          {
            server: config.server,
            gatewaySecret: config.access.gatewaySecret,
            parallel: config.imports,
            pollMs: config.importsPoll,
            silenceMs: config.idleTimeout,
          },
          log,
        )
      : undefined
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const url = `${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${gateway.port}`
  log.info({ url }, 'the S3 gateway is ready')
  if (ipfs) log.info({ port: ipfs.port }, 'the public IPFS gateway is ready')
  return {
    ready: { url, port: gateway.port, ...(ipfs && { ipfsPort: ipfs.port }) },
    async stop() {
      await Promise.all([gateway.stop(), ipfs?.stop(), imports?.stop()])
    },
    onClock(ms) {
      offset = ms
    },
  }
})
