// A folder of 500 files as real folders and files, compared with the same folder sealed as one file; and peak memory with 5,000 files.
import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createNetwork } from '@tidenet/testnet'
import { workFolder } from './files.mjs'
import { median, report, sample, speedup } from './measure.mjs'
import { person } from './people.mjs'

const ROUNDS = 3
const work = workFolder()
const network = await createNetwork({ nodes: 2 })
const { token } = await person(network)
const program = fileURLToPath(new URL('part-transfer.mjs', import.meta.url))

/** New files of 1 to 20 KiB, fifty in each subfolder. */
function makeFolder(name, files) {
  const folder = join(work, name)
  for (let index = 0; index < files; index++) {
    const below = join(folder, `folder ${Math.floor(index / 50)}`)
    if (index % 50 === 0) mkdirSync(below, { recursive: true })
    writeFileSync(join(below, `file ${index}.bin`), randomFillSync(Buffer.alloc(1024 + ((index * 7919) % 19_000))))
  }
  return folder
}

const transfer = async (what) => {
  const input = JSON.stringify({ url: network.url, token, ...what })
  const { stdout } = await promisify(execFile)(process.execPath, [program, input])
  return JSON.parse(stdout)
}

let turn = 0
const sealed = []
const real = []
for (let round = 0; round < ROUNDS; round++) {
  // A sample may be repeated, and must be new content each time.
  sealed.push((await sample(() => transfer({ upload: makeFolder(`sealed ${turn++}`, 500) }))).ms)
  real.push((await sample(() => transfer({ uploadFolder: makeFolder(`real ${turn++}`, 500) }))).ms)
  console.log(`round ${round + 1}: sealed ${Math.round(sealed[round])} ms, real ${Math.round(real[round])} ms`)
}
report('500 files as real folders', {
  measured: Math.round(median(real)),
  against: `${Math.round(median(sealed))} ms sealed as one file`,
  unit: 'ms',
  value: speedup(real, sealed),
  goal: { atLeast: 0.2 },
})
const large = await transfer({ uploadFolder: makeFolder('large', 5000) })
report('5,000 files as real folders, peak memory in Node', {
  measured: Math.round(large.peak),
  against: 'an absolute bound',
  unit: 'MiB',
  value: large.peak,
  goal: { below: 200 },
})
await network.stop()
process.exit()
