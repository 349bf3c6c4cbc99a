// Converts reports of test runners to counts and failures.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../build.mjs'

/** More failed files than this are no chance. */
const REPEATED_MAX = 3

/**
 * The result of a stage. `failures` and `flaky` are printed at the end; `flaky` ones passed only when repeated.
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: string[], flaky?: string[] }} Counts
 */

/**
 * Counts a runner that exited with an error as a failure even if no test failed, for example if a file did not load.
 * @param {number} code exit code of the runner
 * @param {Partial<Counts>} counts
 * @returns {Counts}
 */
export function withExitCode(code, { passed = 0, failed = 0, skipped = 0, failures = [], flaky = [] }) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped, failures, flaky }
}

/** The counts of two runs. */
export const sumOf = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
  flaky: [...a.flaky, ...b.flaky],
})

export const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/**
 * @param {string} report file of vitest's JSON reporter
 * @param {string} more file of tools/test/vitest-reporter.mjs
 * @param {boolean} [isLong] whether only the tests tagged as long were run, or only the others; undefined for all
 */
export function countsOfVitest(code, report, more, isLong) {
  const { testResults = [] } = readReport(report)
  const { unhandled = [], unfinished = [] } = readReport(more)
  return withExitCode(code, {
    ...countsOfFiles(testResults, isLong),
    failures: [
      ...failuresOf(testResults),
      ...didNotEnd(unfinished),
      ...unhandled.map(({ test, stack }) => `unhandled error during "${test}"\n${stack}`),
    ],
  })
}

/**
 * The test files to run again: those that did not end, and those that failed, also in a hook. Empty if there was another error, or if too
 * many failed for chance.
 * @param {string} report file of vitest's JSON reporter
 * @param {string} more file of tools/test/vitest-reporter.mjs
 */
export function filesToRepeat(report, more) {
  const { testResults = [] } = readReport(report)
  const { unhandled = [], unfinished = [] } = readReport(more)
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  // A worker that ended is an unhandled error, too.
  if ((unhandled.length > 0 && unfinished.length === 0) || failed.length > REPEATED_MAX) return []
  return [...new Set([...failed, ...unfinished.map(([name]) => name)])]
}

/**
 * The result of a stage whose failed files were repeated. What failed only the first time is a defect.
 * @param {string} report of the first run
 * @param {string} more of the first run
 * @param {readonly string[]} repeated files
 * @param {Counts} second
 * @param {boolean} [isLong] as of countsOfVitest
 * @returns {Counts}
 */
export function countsOfRepeated(report, more, repeated, second, isLong) {
  const { testResults = [] } = readReport(report)
  const { unfinished = [] } = readReport(more)
  const first = countsOfFiles(
    testResults.filter(({ name }) => !repeated.includes(name)),
    isLong,
  )
  return {
    passed: first.passed + second.passed,
    failed: second.failed,
    skipped: first.skipped + second.skipped,
    failures: second.failures,
    flaky: second.failed > 0 ? [] : [...failuresOf(testResults), ...didNotEnd(unfinished)],
  }
}

const didNotEnd = (unfinished) => unfinished.map(([file, where]) => `${relative(root, file)} did not end: ${where}`)

/** Counts each hook or file that failed without a failed test as one failure. Tests that another stage runs are not skipped. */
function countsOfFiles(testFiles, isLong) {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of testFiles) {
    for (const { status: result, tags = [] } of assertionResults)
      if (result === 'passed' || result === 'failed') count[result] += 1
      else if (isLong === undefined || isLong === tags.includes('long')) count.skipped += 1
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) count.failed += 1
  }
  return count
}

/** Failures for the summary at the end: file, test name and message. */
function failuresOf(testFiles = []) {
  return testFiles.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${path}\n${message}`]
    return failed.map((test) => `${path} › ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 2000)}`)
  })
}

/** @param {string} report file of Playwright's JSON reporter */
export function countsOfPlaywright(code, report) {
  const { stats = {}, suites } = readReport(report)
  const { expected = 0, unexpected, flaky = 0, skipped } = stats
  return withExitCode(code, {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: testsWith('unexpected', suites),
    flaky: testsWith('flaky', suites),
  })
}

function testsWith(wanted, suites = [], titles = []) {
  return suites.flatMap(({ title, specs = [], suites: inner }) => {
    const path = [...titles, title]
    const own = specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === wanted)
        .map(({ results }) => {
          const message = results.flatMap(({ errors }) => errors).at(0)?.message ?? ''
          return `${[...path, spec.title].join(' › ')}\n${stripVTControlCharacters(message).slice(0, 2000)}`
        }),
    )
    return [...own, ...testsWith(wanted, inner, path)]
  })
}
