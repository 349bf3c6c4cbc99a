// npm run bench [names]: each bench in a process of its own, then the table of docs/PERFORMANCE.md with the last run of each.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usage } from '../tools/usage.mjs'

usage('npm run bench [-- bench...]: measures, and writes docs/PERFORMANCE.md.')

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
// Other parts follow the table: what tools/lighthouse measured of pages.
const [written = '', ...others] = existsSync(document) ? readFileSync(document, 'utf8').split(/^(?=## )/m) : []
// Benches that were not run now keep what they measured last.
const lines = new Map(
  written
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| bench |'))
    .map((line) => [line.split('|')[1].trim(), line]),
)
const today = new Date().toISOString().slice(0, 10)
for (const { bench, measured, unit, against, value, goal, met } of rows) {
  const reached = goal === 'none' ? '' : met ? 'yes' : 'no'
  lines.set(bench, `| ${bench} | ${measured} ${unit} | ${against} | ${value} | ${goal} | ${reached} | ${today} |`)
}
writeFileSync(
  document,
  `# What was measured

\`npm run bench\` on ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. The machine is shared and noisy; each figure
stands beside something measured in the same run, and the ratio is what counts.

| bench | measured | against | ratio | goal | met | date |
|---|---|---|---|---|---|---|
${[...lines.values()].join('\n')}
${others.map((part) => `\n${part.trimEnd()}\n`).join('')}`,
)
process.exit(rows.every((row) => row.met) ? 0 : 1)
