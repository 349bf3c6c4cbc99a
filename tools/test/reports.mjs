// What runners of tests report, as one list of counts and failures.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../build.mjs'

/**
 * A stage: how many tests passed, failed and were skipped; what is said at the end of those that failed, and of those that passed only at
 * another try.
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: string[], flaky?: string[] }} Counts
 */

/**
 * A file that did not load, or a runner that crashed, counts as a failure even though no test of it failed.
 * @param {number} code of the runner
 * @param {Partial<Counts>} counts
 * @returns {Counts}
 */
export function honest(code, { passed = 0, failed = 0, skipped = 0, failures = [], flaky = [] }) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped, failures, flaky }
}

export const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/**
 * @param {string} report of vitest's JSON reporter
 * @param {string} more of tools/test/vitest-reporter.mjs
 */
export function countsOfVitest(code, report, more) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readReport(report)
  const { unhandled = [], flaky = [] } = readReport(more)
  return honest(code, {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
    failures: [
      ...failuresOf(testResults),
      ...unhandled.map(({ test, stack }) => `nobody caught, during "${test}"\n${stack}`),
    ],
    flaky,
  })
}

/** What failed, said again at the end, where one looks first: the test's name, its file and the message. */
function failuresOf(testFiles = []) {
  return testFiles.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${path}\n${message}`]
    return failed.map((test) => `${path} › ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 2000)}`)
  })
}

/** @param {string} report of Playwright's JSON reporter */
export function countsOfPlaywright(code, report) {
  const { stats = {}, suites } = readReport(report)
  const { expected = 0, unexpected, flaky = 0, skipped } = stats
  return honest(code, {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: told(suites, 'unexpected'),
    flaky: told(suites, 'flaky'),
  })
}

function told(suites = [], wanted, titles = []) {
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
    return [...own, ...told(inner, wanted, path)]
  })
}
