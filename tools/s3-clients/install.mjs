// S3 clients that people use, in pinned versions, for the tests of the S3 gateway.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'
import { ensureGoProgram, hasGo } from '../go-program.mjs'
import { ensurePrograms } from '../test/requirements.mjs'

const AWS = { awscli: '1.46.3', boto3: '1.44.5' }
const folder = join(root, '.cache', 's3-clients')
const succeeds = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/**
 * @returns variables with the paths of what is installed
 * @throws ToolError that names what is missing
 */
export function ensureS3Clients() {
  ensurePrograms('S3', { rclone: 'rclone', restic: 'restic', s3cmd: 's3cmd', curl: 'curl', python3: 'python3' })
  mkdirSync(folder, { recursive: true })
  return { TIDENET_TEST_AWS: ensureAws(), TIDENET_TEST_MC: ensureMc() }
}

/** The folder of `aws`, and of a `python` that has boto3. */
export function ensureAws() {
  const environment = join(folder, `aws-${AWS.awscli}-${AWS.boto3}`)
  const programs = join(environment, 'bin')
  if (existsSync(join(programs, 'complete'))) return programs
  console.log(`Installing awscli ${AWS.awscli} and boto3 ${AWS.boto3}.`)
  rmSync(environment, { recursive: true, force: true })
  if (!succeeds('python3', '-m', 'venv', environment))
    throw new ToolError('The S3 tests need virtual environments of Python (Debian: apt-get install python3-venv).')
  const packages = Object.entries(AWS).map(([name, version]) => `${name}==${version}`)
  const pip = ['-m', 'pip', '-q', '--disable-pip-version-check', 'install', ...packages]
  const { status } = spawnSync(join(programs, 'python'), pip, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new ToolError(`The S3 tests need ${packages.join(' and ')}, which pip could not install.`)
  // An interrupted installation has no such file.
  mkdirSync(join(programs, 'complete'))
  return programs
}

/** The client of MinIO, built once in a few minutes. @returns '' without Go: its tests are skipped then */
function ensureMc() {
  if (!hasGo()) {
    console.log('Go is not installed: the S3 gateway is not tested with mc.')
    return ''
  }
  return ensureGoProgram({
    name: 'mc',
    module: 'github.com/minio/mc',
    version: 'v0.0.0-20250313080218-cf909e1063a9',
    sum: 'h1:6RyInOHKL6jz8zxcAar/h6rg/aJCxDP/uFuSNvYSuMI=',
    folder: 's3-clients',
    go: '1.23',
  })
}
