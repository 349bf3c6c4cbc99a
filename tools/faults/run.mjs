// npm run faults: breaks the code in one place at a time, and runs the tests that docs/TESTING.md names for the promise that is broken.
// Every fault has to be caught. The faults are in list.mjs; they are made in a copy of the last commit.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, fail, files, root, ToolError } from '../build.mjs'
import { usage } from '../usage.mjs'
import { faults } from './list.mjs'

usage(
  'npm run faults [-- name...]: seeds each fault of tools/faults/list.mjs, or those named, and tells which the tests did not catch.',
)

const copy = join(root, '.cache', 'faults')

try {
  ensureInstalled()
  const wanted = process.argv.slice(2)
  const chosen = faults.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  if (chosen.length === 0)
    throw new ToolError(`There is no such fault; there are ${faults.map(({ name }) => name).join(', ')}.`)
  makeCopy()
  const missed = []
  for (const fault of chosen) {
    const began = Date.now()
    const outcome = seed(fault)
    console.log(
      `${outcome.padEnd(8)} ${fault.promise.padEnd(10)} ${fault.name} (${Math.round((Date.now() - began) / 1000)} s)`,
    )
    if (outcome !== 'caught') missed.push(fault.name)
  }
  rmSync(copy, { recursive: true, force: true })
  run('git', ['worktree', 'prune'], root)
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults were caught.`)
  if (missed.length > 0) console.log(`Not caught: ${missed.join(', ')}`)
  process.exitCode = missed.length > 0 ? 1 : 0
} catch (error) {
  fail(error)
}

/** The last commit with what is installed and compiled here, so that a fault never touches the folder one works in. */
function makeCopy() {
  rmSync(copy, { recursive: true, force: true })
  run('git', ['worktree', 'prune'], root)
  must(run('git', ['worktree', 'add', '--detach', '--force', copy, 'HEAD'], root))
  must(run('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')], root))
  must(run(process.execPath, ['tools/compile.mjs'], copy))
}

/** @returns {'caught' | 'missed' | 'unclear'} */
function seed({ folder, find, replace, tests, project }) {
  const holds = files(join(copy, folder)).filter(
    (path) =>
      /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$/.test(path) && readFileSync(path, 'utf8').includes(find),
  )
  const [path] = holds
  const source = path && readFileSync(path, 'utf8')
  if (!source || holds.length > 1 || source.split(find).length !== 2)
    throw new ToolError(`${folder} does not have this exactly once:\n${find}`)
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    // Programs and packages run as they were compiled; a type that no longer fits is no reason not to run them.
    run(process.execPath, ['node_modules/typescript7/bin/tsc', '-b'], copy)
    const report = join(copy, '.cache', 'fault.json')
    rmSync(report, { force: true })
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', `--project=${project}`, '--bail=1', '--retry=0']
    run(process.execPath, [...vitest, '--reporter=json', `--outputFile=${report}`, ...tests], copy)
    if (!existsSync(report)) return 'unclear'
    const { numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'))
    if (numTotalTests === 0) return 'unclear'
    return numFailedTests > 0 ? 'caught' : 'missed'
  } finally {
    writeFileSync(path, source)
  }
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe'] })
}

function must({ status, stderr }) {
  if (status !== 0) throw new ToolError(stderr)
}
