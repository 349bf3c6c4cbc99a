// The command line as its package holds it, compared with Kubo: 1,000 files of 16 KiB up, and 512 MiB verified to the disk.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createNetwork } from '@tidenet/testnet'
import { bundleProgram } from '../tools/bundle.mjs'
import { ensureKubo } from '../tools/kubo/build.mjs'
import { randomFile, workFolder } from './files.mjs'
import { alternate, MiB, median, report, speedup } from './measure.mjs'
import { startKubo } from './part-kubo.mjs'
import { person } from './people.mjs'

const SIZE = 512 * MiB
const FILES = 1000
const ROUNDS = 5

const program = ensureKubo()
const work = workFolder()
const large = randomFile(join(work, 'large'), SIZE)
const target = join(work, 'target')
const network = await createNetwork({ nodes: 1, env: { TIDENET_PACE: 'usual' } })
const [sender, reader] = await Promise.all([startKubo(program, work, 'sender'), startKubo(program, work, 'reader')])
const installed = join(work, 'installed')
mkdirSync(installed)
await bundleProgram('@tidenet/cli', installed)
const cli = join(installed, 'bundle/main.js')

try {
  const { token } = await person(network)
  const env = { ...process.env, TIDENET_URL: network.url, TIDENET_TOKEN: token, TIDENET_CONFIG: join(work, 'config') }
  const tidenet = async (...args) => (await promisify(execFile)(process.execPath, [cli, ...args], { env })).stdout

  /** A folder of new files. */
  let round = 0
  const newFolder = () => {
    const folder = join(work, `small-${round++}`)
    mkdirSync(folder)
    for (let index = 0; index < FILES; index++) writeFileSync(join(folder, `${index}.bin`), randomBytes(16 * 1024))
    return folder
  }
  const ups = await alternate(
    {
      'tidenet up': { before: newFolder, work: (folder) => tidenet('up', folder) },
      // As one item with one CID, which is what Kubo makes.
      'tidenet up --sealed': { before: newFolder, work: (folder) => tidenet('up', '--sealed', folder) },
      'ipfs add': { before: newFolder, work: (folder) => sender.run('add', '-r', '-q', '--cid-version=1', folder) },
    },
    { rounds: ROUNDS },
  )
  report('1,000 files of 16 KiB with the command line', {
    measured: Math.round(median(ups['tidenet up'])),
    against: `${Math.round(median(ups['ipfs add']))} with ipfs add -r`,
    unit: 'ms',
    value: speedup(ups['tidenet up'], ups['ipfs add']),
    goal: { atLeast: 1 },
  })

  report('1,000 files of 16 KiB as one item', {
    measured: Math.round(median(ups['tidenet up --sealed'])),
    against: `${Math.round(median(ups['ipfs add']))} with ipfs add -r`,
    unit: 'ms',
    value: speedup(ups['tidenet up --sealed'], ups['ipfs add']),
    goal: { atLeast: 1 },
  })

  await tidenet('up', large)
  const cid = (await sender.run('add', '-Q', '--cid-version=1', large)).trim()
  await reader.connect(sender)
  const forget = () => rmSync(target, { force: true })
  const downs = await alternate(
    {
      'tidenet get': { before: forget, work: () => tidenet('get', '/large', '--to', target) },
      'ipfs get': {
        before: async () => {
          forget()
          await reader.run('repo', 'gc', '-q')
        },
        work: () => reader.run('get', cid, '-o', target),
      },
    },
    { rounds: ROUNDS },
  )
  report('verified download of 512 MiB with the command line', {
    measured: Math.round(median(downs['tidenet get'])),
    against: `${Math.round(median(downs['ipfs get']))} with ipfs get`,
    unit: 'ms',
    value: speedup(downs['tidenet get'], downs['ipfs get']),
    goal: { atLeast: 1.67 },
  })
} finally {
  await Promise.all([sender.stop(), reader.stop()])
  await network.stop()
}
