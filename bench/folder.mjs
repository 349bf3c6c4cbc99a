// A folder of 10,000 files and 1 GiB, uploaded and downloaded as a tar, compared with one file of that size; and peak memory in Node
// and in Chromium.
import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createNetwork } from '@tidenet/testnet'
import { randomFile, renew, workFolder } from './files.mjs'
import { MiB, median, processTree, report, sample, speedup } from './measure.mjs'
import { openPage } from './part-page.mjs'
import { person } from './people.mjs'

const FILES = 10_000
const SIZE = 1024 * MiB
const ROUNDS = 3

const work = workFolder()
const file = randomFile(join(work, 'file'), SIZE)
const folder = join(work, 'folder')
const tar = join(work, 'folder.tar')
const network = await createNetwork({ nodes: 1 })

/** Files of 1 KiB to 209 KiB in a hundred folders; `SIZE` bytes in total. */
function makeFolder() {
  const block = randomFillSync(Buffer.allocUnsafe(MiB))
  const largest = Math.floor((2 * SIZE) / FILES) - 1024
  for (let index = 0; index < FILES; index++) {
    const below = join(folder, `folder ${Math.floor(index / 100)}`)
    if (index % 100 === 0) mkdirSync(below, { recursive: true })
    const size = 1024 + Math.round(((largest - 1024) * ((index * 7919) % FILES)) / FILES)
    randomFillSync(block, 0, 64)
    const start = (index * 4099) % (MiB - largest)
    randomFillSync(block, start, 64)
    writeFileSync(join(below, `file ${index}.bin`), block.subarray(start, start + size))
  }
}

/** Makes the folder new content by adding a file. */
const renewFolder = () => writeFileSync(join(folder, 'new.bin'), randomFillSync(Buffer.allocUnsafe(1000)))

const { token } = await person(network)
const program = fileURLToPath(new URL('part-transfer.mjs', import.meta.url))
const transfer = async (what) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    JSON.stringify({ url: network.url, token, ...what }),
  ])
  return JSON.parse(stdout)
}

async function inNode() {
  const all = { 'file up': [], 'folder up': [], 'file down': [], 'folder down': [] }
  for (let round = 0; round < ROUNDS; round++) {
    let cids = {}
    const steps = {
      'file up': async () => {
        renew(file)
        const done = await transfer({ upload: file })
        cids = { ...cids, file: done.cid }
        return done
      },
      'folder up': async () => {
        renewFolder()
        const done = await transfer({ upload: folder })
        cids = { ...cids, folder: done.cid }
        return done
      },
      'file down': async () => {
        rmSync(tar, { force: true })
        return transfer({ download: cids.file, to: tar })
      },
      'folder down': async () => {
        rmSync(tar, { force: true })
        return transfer({ download: cids.folder, to: tar })
      },
    }
    for (const [name, step] of Object.entries(steps)) all[name].push(await sample(step))
    console.log(
      `round ${round + 1}: ${Object.entries(all)
        .map(([name, list]) => `${name} ${Math.round(list[round].ms)} ms, ${Math.round(list[round].peak)} MiB`)
        .join('; ')}`,
    )
    if (statSync(tar).size < SIZE) throw new Error('the tar is too short')
  }
  const ms = (name) => all[name].map((one) => one.ms)
  const rate = (name) => Math.round(1024_000 / median(ms(name)))
  for (const [way, what] of [
    ['up', 'packed and sent'],
    ['down', 'fetched as a tar'],
  ])
    report(`10,000 files ${what}`, {
      measured: rate(`folder ${way}`),
      against: `${rate(`file ${way}`)} of one file of 1 GiB`,
      unit: 'MiB/s',
      value: speedup(ms(`folder ${way}`), ms(`file ${way}`)),
      goal: { atLeast: 0.5 },
    })
  const peak = Math.max(...[...all['folder up'], ...all['folder down']].map((one) => one.peak))
  report('10,000 files, peak memory in Node', {
    measured: Math.round(peak),
    against: 'an absolute bound',
    unit: 'MiB',
    value: peak,
    goal: { below: 300 },
  })
}

/** Peak memory of the renderer processes while `work` runs, in MiB of proportional set size (PSS). */
async function peakOfPage(work) {
  const commandLine = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  const renderers = processTree().filter((pid) => commandLine(pid).includes('--type=renderer'))
  let peak = 0
  const look = () => {
    for (const pid of renderers) {
      try {
        const [, kB] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
        peak = Math.max(peak, Number(kB ?? 0) / 1024)
      } catch {
        // The process has exited.
      }
    }
  }
  const timer = setInterval(look, 50)
  try {
    return { result: await work(), peak }
  } finally {
    clearInterval(timer)
  }
}

async function inChromium() {
  const { page, close } = await openPage(work, network.url)
  try {
    renewFolder()
    await page.setInputFiles('#folder', folder)
    let peak = 0
    const transfers = [
      { name: 'folder up', run: () => page.evaluate((token) => window.bench.upload(token), token) },
      { name: 'folder down', run: () => page.evaluate((token) => window.bench.download(token), token) },
    ]
    for (const { name, run } of transfers) {
      const before = await peakOfPage(() => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200))))
      const one = await peakOfPage(run)
      console.log(
        `Chromium, ${name}: ${Math.round(one.result.ms)} ms, ${Math.round(one.peak)} MiB, ${Math.round(before.peak)} before`,
      )
      peak = Math.max(peak, one.peak)
    }
    report('10,000 files, peak memory in Chromium', {
      measured: Math.round(peak),
      against: 'an absolute bound',
      unit: 'MiB',
      value: peak,
      goal: { below: 400 },
    })
  } finally {
    await close()
  }
}

try {
  makeFolder()
  await inNode()
  await inChromium()
} finally {
  await network.stop()
}
