import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, type Network, type Program, startProcess } from '@tidenet/testnet'
import { createSigner } from '../../packages/certificates/src/test-certificates.fixture.ts'

const SCRIPT = fileURLToPath(new URL('../../apps/s3/dist/main.js', import.meta.url))

export interface Certificate {
  /** Path and text of the certificate of the CA, which clients trust. */
  caFile: string
  ca: string
  env: Record<string, string>
}

/** A certificate for `localhost` and the bucket `photos` in its name. */
export async function createCertificate(network: Network): Promise<Certificate> {
  const folder = await mkdtemp(join(network.data, 's3-tls-'))
  const signer = await createSigner()
  const { cert, key } = await signer.issue(['localhost', 'photos.localhost'])
  const path = (name: string) => join(folder, name)
  await writeFile(path('ca.pem'), signer.root)
  await writeFile(path('cert.pem'), cert)
  await writeFile(path('key.pem'), key)
  return {
    caFile: path('ca.pem'),
    ca: signer.root,
    env: { TIDENET_S3_TLS_CERT: path('cert.pem'), TIDENET_S3_TLS_KEY: path('key.pem') },
  }
}

export interface OwnKey {
  accessKeyId: string
  secretAccessKey: string
}

export interface TestGateway {
  /** Of the name `localhost`. */
  url: string
  port: number
  program: Program
  logFile: string
}

let count = 0

/**
 * Starts one more gateway: one of the operator, or with `own` one that runs alone beside a customer's programs, which knows the customer's
 * access key and the address of the portal only. The test stops it.
 */
export async function startGateway(
  network: Network,
  { own, tls, env = {} }: { own?: OwnKey; tls?: Certificate; env?: Record<string, string> } = {},
): Promise<TestGateway> {
  const port = await freePort()
  const name = `s3-${++count}`
  const secret = async () => (await readFile(join(network.data, 'secrets', 's3-gateway.key'), 'utf8')).trim()
  const logFile = join(network.data, 'logs', `${name}.log`)
  const program = startProcess({
    name,
    script: SCRIPT,
    logFile,
    env: {
      TIDENET_ENV: 'test',
      TIDENET_SERVER: network.url,
      TIDENET_S3_PORT: String(port),
      ...(own
        ? { TIDENET_S3_ACCESS_KEY_ID: own.accessKeyId, TIDENET_S3_SECRET_ACCESS_KEY: own.secretAccessKey }
        : { TIDENET_S3_GATEWAY_SECRET: await secret() }),
      ...tls?.env,
      ...env,
    },
  })
  await program.ready
  return { url: `${tls ? 'https' : 'http'}://localhost:${port}`, port, program, logFile }
}
