// The MD5 of a file of 200 MiB in a Chromium worker: the SDK's worker, which also computes the CID, compared with a worker that uses
// spark-md5 on the same slices.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFile, workFolder } from './files.mjs'
import { MiB, median, report, sample, speedup } from './measure.mjs'
import { openPage } from './part-page.mjs'

const SIZE = 200 * MiB
const ROUNDS = 5

const folder = workFolder()
const path = randomFile(join(folder, 'source'), SIZE)
const right = createHash('md5').update(readFileSync(path)).digest('hex')
const { page, close } = await openPage(folder)
try {
  await page.setInputFiles('#file', path)
  const times = { spark: [], sdk: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of Object.keys(times)) {
      const { ms, result } = await sample(() => page.evaluate((name) => window.bench[name](), name))
      if (result.md5 !== right) throw new Error(`${name}: ${JSON.stringify(result)}`)
      // The first round is for warm-up.
      if (round > 0) times[name].push(ms)
    }
  }
  const rate = (ms) => 200_000 / ms
  for (const [name, list] of Object.entries(times))
    console.log(name, list.map((ms) => Math.round(rate(ms))).join(' '), 'MiB/s')
  report('MD5 of 200 MiB in Chromium, with the CID', {
    measured: Math.round(rate(median(times.sdk))),
    against: `${Math.round(rate(median(times.spark)))} of spark-md5 3.0.2, without`,
    unit: 'MiB/s',
    value: speedup(times.sdk, times.spark),
    goal: { atLeast: 2.5 },
  })
} finally {
  await close()
}
