// npm run bench [names]: runs each benchmark in its own process, then updates the table in docs/PERFORMANCE.md.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usage } from '../tools/usage.mjs'

usage('npm run bench [-- name...]: runs benchmarks and updates docs/PERFORMANCE.md.')

const here = dirname(fileURLToPath(import.meta.url))
const parts = new Set(['run', 'measure', 'people', 'files', 'empty-route'])
const all = readdirSync(here)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => name.slice(0, -4))
  .filter((name) => !parts.has(name) && !name.startsWith('part-'))
const wanted = process.argv.slice(2)
const rows = []
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n${name}`)
  const run = spawnSync(process.execPath, [join(here, `${name}.mjs`)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 600_000,
  })
  process.stdout.write(run.stdout)
  if (run.status !== 0) console.log(`${name} failed`)
  for (const line of run.stdout.split('\n')) if (line.startsWith('{"bench"')) rows.push(JSON.parse(line))
}
const document = join(here, '../docs/PERFORMANCE.md')
// Other sections follow the table, such as that of tools/lighthouse.
const [written = '', ...others] = existsSync(document) ? readFileSync(document, 'utf8').split(/^(?=## )/m) : []
// Benchmarks that did not run keep their last result.
const lines = new Map(
  written
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| benchmark |'))
    .map((line) => [line.split('|')[1].trim(), line]),
)
const today = new Date().toISOString().slice(0, 10)
for (const { bench, measured, unit, against, value, goal, met } of rows) {
  const reached = goal === 'none' ? '' : met ? 'yes' : 'no'
  lines.set(bench, `| ${bench} | ${measured} ${unit} | ${against} | ${value} | ${goal} | ${reached} | ${today} |`)
}
writeFileSync(
  document,
  `# Performance

\`npm run bench\` on ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. The machine is shared and noisy, so each
figure is compared with a baseline of the same run; the ratio counts. For benchmarks in several rounds, it is the median of
the ratios of the rounds, so it can differ from the ratio of the two figures.

| benchmark | measured | baseline | ratio | goal | met | date |
|---|---|---|---|---|---|---|
${[...lines.values()].join('\n')}
${others.map((part) => `\n${part.trimEnd()}\n`).join('')}`,
)
process.exit(rows.every((row) => row.met) ? 0 : 1)
