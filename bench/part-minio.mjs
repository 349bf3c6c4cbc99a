// A MinIO server on loopback.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { ensureMinio } from '../tools/minio/build.mjs'
import { pause } from './measure.mjs'

const credentials = { accessKeyId: 'benchmark', secretAccessKey: 'benchmark-secret' }

export async function startMinio(folder) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(ensureMinio(), ['server', '--quiet', '--address', `127.0.0.1:${port}`, folder], {
    env: { ...process.env, MINIO_ROOT_USER: credentials.accessKeyId, MINIO_ROOT_PASSWORD: credentials.secretAccessKey },
    stdio: 'ignore',
  })
  while (!(await fetch(`${url}/minio/health/live`).catch(() => undefined))?.ok) await pause(100)
  return {
    url,
    credentials,
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
