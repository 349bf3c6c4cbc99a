import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { S3ClientConfig } from '@aws-sdk/client-s3'

/** Clients of S3 as people install them, configured only as their manuals say. */

export interface Endpoint {
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** Path of the certificate that clients must trust; undefined for http. */
  caFile: string | undefined
}

export interface Output {
  code: number | null
  stdout: string
  stderr: string
}

export interface Programs {
  /** All fail with the output of the program unless it exits with 0. */
  rclone(...args: string[]): Promise<Output>
  restic(...args: string[]): Promise<Output>
  s3cmd(...args: string[]): Promise<Output>
  aws(...args: string[]): Promise<Output>
  /** With boto3. */
  python(script: string, ...args: string[]): Promise<Output>
  curl(...args: string[]): Promise<Output>
  mc(...args: string[]): Promise<Output>
  /** With a file as standard input. */
  mcFrom(file: string, ...args: string[]): Promise<Output>
  /** Without a check of its exit code; `started` gets its process. */
  try(name: 'rclone' | 'aws', args: string[]): Promise<Output>
}

/** No client may hang. */
const TIMEOUT_MS = 150_000

/** The name of the remote in rclone and mc. */
export const REMOTE = 'tide'
export const hasMc = () => Boolean(process.env.TIDENET_TEST_MC)

/** @param folder for configurations and caches */
export async function createPrograms(folder: string, endpoint: Endpoint): Promise<Programs> {
  const { url, accessKeyId, secretAccessKey, caFile } = endpoint
  const { host, protocol } = new URL(url)
  const isTls = protocol === 'https:'
  const path = (name: string) => join(folder, name)
  await mkdir(folder, { recursive: true })
  await writeFile(
    path('s3cmd'),
    [
      '[default]',
      `access_key = ${accessKeyId}`,
      `secret_key = ${secretAccessKey}`,
      `host_base = ${host}`,
      `host_bucket = ${host}`,
      `use_https = ${isTls ? 'True' : 'False'}`,
      ...(caFile ? [`ca_certs_file = ${caFile}`] : []),
    ].join('\n'),
  )
  await writeFile(
    path('aws'),
    '[default]\nregion = us-east-1\ns3 =\n  addressing_style = path\n  signature_version = s3v4\n',
  )
  await writeFile(path('rclone'), '')

  const { PATH = '', TIDENET_TEST_AWS: awsFolder = '', TIDENET_TEST_MC: mc = '' } = process.env
  // Nothing else of this environment: a variable such as AWS_CA_BUNDLE changes what clients do, and breaks rclone.
  const common = { PATH, HOME: folder, LANG: 'C.UTF-8' }
  const aws = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_CONFIG_FILE: path('aws'),
    AWS_ENDPOINT_URL: url,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(caFile && { AWS_CA_BUNDLE: caFile }),
  }
  const remote = `RCLONE_CONFIG_${REMOTE.toUpperCase()}`
  const rclone = {
    RCLONE_CONFIG: path('rclone'),
    [`${remote}_TYPE`]: 's3',
    [`${remote}_PROVIDER`]: 'Other',
    [`${remote}_ACCESS_KEY_ID`]: accessKeyId,
    [`${remote}_SECRET_ACCESS_KEY`]: secretAccessKey,
    [`${remote}_ENDPOINT`]: url,
    ...(caFile && { RCLONE_CA_CERT: caFile }),
  }
  const restic = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    RESTIC_PASSWORD: 'restic',
    RESTIC_CACHE_DIR: path('restic'),
    ...(caFile && { RESTIC_CACERT: caFile }),
  }
  const mcHost = {
    [`MC_HOST_${REMOTE}`]: `${protocol}//${accessKeyId}:${secretAccessKey}@${host}`,
    ...(caFile && { SSL_CERT_FILE: caFile }),
  }
  const run = async (program: string, args: readonly string[], env: Record<string, string>, input?: string) => {
    const output = await start(program, args, { ...common, ...env }, input)
    if (output.code !== 0)
      throw new Error(`${program} ${args.join(' ')}: ${output.code}\n${output.stdout}\n${output.stderr}`.slice(-3000))
    return output
  }
  const mcArgs = ['--config-dir', path('mc'), '--quiet']
  const resticArgs = caFile ? ['--cacert', caFile] : []
  return {
    rclone: (...args) => run('rclone', args, rclone),
    restic: (...args) => run('restic', [...resticArgs, ...args], restic),
    s3cmd: (...args) => run('s3cmd', ['-c', path('s3cmd'), '--no-progress', ...args], {}),
    aws: (...args) => run(join(awsFolder, 'aws'), args, aws),
    python: (script, ...args) => run(join(awsFolder, 'python'), ['-c', script, ...args], aws),
    curl: (...args) => run('curl', ['-sS', '--fail', ...(caFile ? ['--cacert', caFile] : []), ...args], {}),
    mc: (...args) => run(mc, [...mcArgs, ...args], mcHost),
    mcFrom: (file, ...args) => run(mc, [...mcArgs, ...args], mcHost, file),
    try: (name, args) =>
      name === 'rclone'
        ? start('rclone', args, { ...common, ...rclone })
        : start(join(awsFolder, 'aws'), args, { ...common, ...aws }),
  }
}

function start(program: string, args: readonly string[], env: Record<string, string>, input?: string): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    // A program that ends before it has read all input reports that by its exit code.
    child.stdin.on('error', () => {})
    if (input === undefined) child.stdin.end()
    else createReadStream(input).pipe(child.stdin)
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** For the AWS SDK for JavaScript. */
export const sdkConfig = ({ url, accessKeyId, secretAccessKey }: Endpoint): S3ClientConfig => ({
  endpoint: url,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey },
  forcePathStyle: true,
})
