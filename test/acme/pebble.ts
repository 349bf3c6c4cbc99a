import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { freePort } from '@tidenet/testnet'
import { createSigner } from '../../packages/certificates/src/test-certificates.fixture.ts'

export type Pebble = Awaited<ReturnType<typeof startPebble>>

/**
 * Pebble on loopback. It rejects every tenth nonce, and asks our name server and our server for answers to challenges.
 * @param dns address of the name server
 * @param httpPort where it expects answers of HTTP-01
 */
export async function startPebble({ dns, httpPort, port }: { dns: string; httpPort: number; port?: number }) {
  const program = process.env.TIDENET_TEST_PEBBLE
  if (!program) throw new Error('TIDENET_TEST_PEBBLE is not set: run these tests with `npm run test:long -- acme`')
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-pebble-'))
  const [listening, management] = [port ?? (await freePort()), await freePort()]
  const signer = await createSigner('CN=Own server of the CA')
  const { cert, key } = await signer.issue(['localhost'])
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const config = {
    listenAddress: `127.0.0.1:${listening}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort,
    tlsPort: 1,
    domainBlocklist: ['blocked.example.org'],
    retryAfter: { authz: 1, order: 1 },
    keyAlgorithm: 'ecdsa',
    profiles: {
      default: { description: '90 days', validityPeriod: 90 * 86_400 },
      shortlived: { description: '6 days', validityPeriod: 6 * 86_400 },
    },
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble: config }))
  const child: ChildProcess = spawn(program, ['-config', join(folder, 'config.json'), '-dnsserver', dns], {
    env: { ...process.env, PEBBLE_WFE_NONCEREJECT: '10', PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Pebble does not start')))
    lines.on('line', (line) => void (line.includes('ACME directory available') && resolve()))
  })

  const agent = new Agent({ ca: signer.root, keepAlive: true })
  const manage = async (path: string, body?: object) => {
    const call = request(`https://localhost:${management}${path}`, {
      agent,
      method: body ? 'POST' : 'GET',
      // It refuses requests without.
      headers: { 'user-agent': 'tidenet' },
    })
    call.end(body && JSON.stringify(body))
    const [answer] = await once(call, 'response')
    const said = await text(answer)
    if (answer.statusCode !== 200) throw new Error(said)
    return said
  }
  const ready = async (path: string) => {
    for (let attempt = 0; ; attempt++)
      try {
        return await manage(path)
      } catch (error) {
        // It says that it listens a moment before it does.
        if (attempt === 50) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
  }
  return {
    port: listening,
    directory: `https://localhost:${listening}/dir`,
    agent,
    /** Certificate and key of its own server, for localhost. */
    own: { cert, key },
    /** What its own server is trusted by, PEM. */
    serverRoot: signer.root,
    /** What the certificates are trusted by, PEM. */
    root: await ready('/roots/0'),
    /** Such as `Valid` or `Revoked`. @param serial hexadecimal */
    statusOf: async (serial: string) =>
      (JSON.parse(await manage(`/cert-status-by-serial/${serial.toLowerCase()}`)) as { Status: string }).Status,
    /** What it suggests for a certificate. */
    suggest: (certificate: string, start: Date, end: Date) =>
      manage('/set-renewal-info/', {
        Certificate: certificate,
        ARIResponse: JSON.stringify({ suggestedWindow: { start, end } }),
      }),
    async close() {
      agent.destroy()
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
