// S3 clients that people use, in pinned versions, for the tests of the S3 gateway.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'
import { ensurePrograms } from '../test/requirements.mjs'

const AWS = { awscli: '1.46.3', boto3: '1.44.5' }
const MC = 'v0.0.0-20250313080218-cf909e1063a9'
/** The hash of the sources, as Go computes it. */
const MC_SUM = 'h1:6RyInOHKL6jz8zxcAar/h6rg/aJCxDP/uFuSNvYSuMI='
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
function ensureAws() {
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
  const program = join(folder, `mc-${MC}`)
  if (existsSync(program)) return program
  if (!succeeds('go', 'version')) {
    console.log('Go is not installed: the S3 gateway is not tested with mc.')
    return ''
  }
  console.log('Building mc, the client of MinIO.')
  const options = { cwd: folder, encoding: 'utf8' }
  const found = spawnSync('go', ['mod', 'download', '-json', `github.com/minio/mc@${MC}`], options)
  const { Dir: sources, Sum: sum, Error: error } = JSON.parse(found.stdout || '{}')
  if (!sources) throw new ToolError(`The sources of mc could not be downloaded: ${error ?? found.stderr}`)
  if (sum !== MC_SUM) throw new ToolError('The sources of mc are not the expected ones.')
  const draft = `${program}.${process.pid}.new`
  // Other work of the machine goes first.
  const built = spawnSync('nice', ['-n', '10', 'go', 'build', '-trimpath', '-o', draft, '.'], {
    cwd: sources,
    env: { ...process.env, GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new ToolError('mc could not be built.')
  renameSync(draft, program)
  return program
}
