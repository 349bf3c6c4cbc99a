import { createLogger } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { readGatewayConfig } from './config.ts'
import { startGateway } from './server.ts'

runProgram(async (life) => {
  const config = readGatewayConfig(process.env)
  const log = createLogger('s3', config.logLevel)
  let offset = 0
  life.onClock((ms) => {
    offset = ms
  })
  const gateway = await startGateway(config, { log, now: () => Date.now() + offset })
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const url = `${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${gateway.port}`
  log.info({ url }, 'the S3 gateway is ready')
  return {
    ready: { url, port: gateway.port },
    stop: () => gateway.stop(),
    onClock(ms) {
      offset = ms
    },
  }
})
