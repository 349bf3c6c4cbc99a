// An HTTPS proxy with HTTP/2 in front of a local server, as docs/OPERATIONS.md requires for production.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createSecureServer } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms } from '../test/requirements.mjs'

/** Headers of one connection, which HTTP/2 forbids. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding']

/**
 * @param target origin of the server
 * @returns its origin, and how to stop it. Browsers do not trust its certificate.
 */
export async function startHttpsProxy(target) {
  const agent = new Agent({ keepAlive: true })
  const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (incoming, outgoing) => {
    const headers = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':'))
    const forwarded = request(target + incoming.url, {
      method: incoming.method,
      headers: { ...Object.fromEntries(headers), host: new URL(target).host },
      agent,
    })
    forwarded.on('response', (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.includes(name))
      outgoing.writeHead(answer.statusCode, Object.fromEntries(kept))
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.stream?.destroy())
    // Streams of events stay open until the browser leaves.
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  const sessions = new Set()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${server.address().port}`,
    stop() {
      for (const session of sessions) session.destroy()
      server.close()
      agent.destroy()
    },
  }
}

function certificate() {
  ensurePrograms('lighthouse', { openssl: 'openssl' })
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '7']
  try {
    const { status, stderr } = spawnSync('openssl', [...args, '-subj', '/CN=localhost', '-keyout', key, '-out', cert])
    if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
