// npm run bench [names]: each bench in a process of its own, then the table of docs/PERFORMANCE.md with the last run of each.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
// Benches that were not run now keep what they measured last.
const kept = join(here, '../.cache/bench.json')
const known = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
for (const row of rows) known[row.bench] = { ...row, date: new Date().toISOString().slice(0, 10) }
mkdirSync(dirname(kept), { recursive: true })
writeFileSync(kept, JSON.stringify(known, null, 2))
const table = Object.values(known)
  .map(
    (row) =>
      `| ${row.bench} | ${row.measured} ${row.unit} | ${row.against} | ${row.value} | ${row.goal} | ${row.goal === 'none' ? '' : row.met ? 'yes' : 'no'} | ${row.date} |`,
  )
  .join('\n')
const document = join(here, '../docs/PERFORMANCE.md')
// Other parts follow: what tools/lighthouse measured of pages.
const [, ...others] = existsSync(document) ? readFileSync(document, 'utf8').split(/^(?=## )/m) : []
writeFileSync(
  document,
  `# What was measured

\`npm run bench\` on ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. The machine is shared and noisy; each figure
stands beside something measured in the same run, and the ratio is what counts.

| bench | measured | against | ratio | goal | met | date |
|---|---|---|---|---|---|---|
${table}
${others.map((part) => `\n${part.trimEnd()}\n`).join('')}`,
)
process.exit(rows.every((row) => row.met) ? 0 : 1)
