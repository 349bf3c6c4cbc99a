// Converts reports of test runners to counts and failures.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../build.mjs'

/**
 * The result of a stage. `failures` and `flaky` are printed at the end; `flaky` tests passed only on retry.
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

export const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/**
 * @param {string} report file of vitest's JSON reporter
 * @param {string} more file of tools/test/vitest-reporter.mjs
 */
export function countsOfVitest(code, report, more) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readReport(report)
  const { unhandled = [], flaky = [] } = readReport(more)
  return withExitCode(code, {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
    failures: [
      ...failuresOf(testResults),
      ...unhandled.map(({ test, stack }) => `unhandled error during "${test}"\n${stack}`),
    ],
    flaky,
  })
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
