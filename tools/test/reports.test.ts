import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { countsOfRepeated, countsOfVitest, filesToRepeat } from './reports.mjs'
import More from './vitest-reporter.mjs'

/** What a stage counts, and which of its files run again. */

const folder = mkdtempSync(join(tmpdir(), 'tidenet-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Status = 'passed' | 'failed' | 'pending'
const file = (name: string, tests: Status[], hookFails = false, tags: string[] = []) => ({
  name: `/repository/${name}`,
  status: hookFails || tests.includes('failed') ? 'failed' : 'passed',
  message: hookFails ? 'the hook timed out' : '',
  assertionResults: tests.map((status, index) => ({
    status,
    fullName: `${name} ${index}`,
    failureMessages: [status],
    tags,
  })),
})

let written = 0
function write(
  testResults: ReturnType<typeof file>[],
  unhandled: { test: string; stack: string }[] = [],
  unfinished: [file: string, where: string][] = [],
) {
  written += 1
  const [report, more] = [join(folder, `${written}.json`), join(folder, `${written}-more.json`)]
  writeFileSync(report, JSON.stringify({ testResults }))
  writeFileSync(more, JSON.stringify({ unhandled, unfinished }))
  return { report, more, code: testResults.some(({ status }) => status === 'failed') ? 1 : 0 }
}

const counted = ({ code, report, more }: ReturnType<typeof write>) => countsOfVitest(code, report, more)

describe('a stage', () => {
  it('counts tests, and a failed hook as one failure', () => {
    const run = write([file('a', ['passed', 'pending']), file('b', ['passed', 'failed']), file('c', ['passed'], true)])
    expect(counted(run)).toMatchObject({ passed: 3, failed: 2, skipped: 1 })
    expect(counted(run).failures).toHaveLength(2)
  })

  it('does not count tests as skipped that it leaves to another stage', () => {
    const { code, report, more } = write([file('a', ['passed', 'pending']), file('b', ['pending'], false, ['long'])])
    expect(countsOfVitest(code, report, more, false)).toMatchObject({ passed: 1, skipped: 1 })
    expect(countsOfVitest(code, report, more, true)).toMatchObject({ passed: 1, skipped: 1 })
    expect(countsOfVitest(code, report, more)).toMatchObject({ passed: 1, skipped: 2 })
  })

  it('runs failed files again, and lists as a defect what fails only the first time', () => {
    const first = write([file('a', ['passed', 'passed']), file('b', ['failed', 'passed']), file('c', ['passed'], true)])
    const repeated = filesToRepeat(first.report, first.more)
    expect(repeated).toEqual(['/repository/b', '/repository/c'])
    const second = write([file('b', ['passed', 'passed']), file('c', ['passed'])])
    const counts = countsOfRepeated(first.report, first.more, repeated, counted(second))
    expect(counts).toMatchObject({ passed: 5, failed: 0, failures: [] })
    expect(counts.flaky).toHaveLength(2)
  })

  it('fails if a file fails twice', () => {
    const first = write([file('a', ['passed']), file('b', ['failed', 'passed'])])
    const repeated = filesToRepeat(first.report, first.more)
    const second = write([file('b', ['failed', 'passed'])])
    const counts = countsOfRepeated(first.report, first.more, repeated, counted(second))
    expect(counts).toMatchObject({ passed: 2, failed: 1 })
    expect(counts.failures).toHaveLength(1)
  })

  it('runs files again that did not end, and fails if they do not end twice', () => {
    const died = [{ test: 'unknown', stack: 'Worker exited unexpectedly' }]
    const stuck: [string, string][] = [
      ['/repository/b', 'in or after "b 0"'],
      ['/repository/c', 'not started'],
    ]
    const first = write([file('a', ['passed']), file('b', ['passed', 'pending'])], died, stuck)
    const repeated = filesToRepeat(first.report, first.more)
    expect(repeated).toEqual(['/repository/b', '/repository/c'])
    const second = write([file('b', ['passed', 'passed']), file('c', ['passed'])])
    const counts = countsOfRepeated(first.report, first.more, repeated, counted(second))
    expect(counts).toMatchObject({ passed: 4, failed: 0, skipped: 0 })
    expect(counts.flaky).toHaveLength(2)
    const again = write([file('b', ['pending'])], died, [['/repository/b', 'in or after "b 0"']])
    const { failed, failures } = countsOfRepeated(
      first.report,
      first.more,
      repeated,
      countsOfVitest(1, again.report, again.more),
    )
    expect({ failed, failures: failures?.length }).toEqual({ failed: 1, failures: 2 })
  })

  it('repeats nothing if many files failed, or an error belongs to no file', () => {
    const many = write(['a', 'b', 'c', 'd'].map((name) => file(name, ['failed'])))
    expect(filesToRepeat(many.report, many.more)).toEqual([])
    const unhandled = write([file('a', ['failed'])], [{ test: 'unknown', stack: 'at nowhere' }])
    expect(filesToRepeat(unhandled.report, unhandled.more)).toEqual([])
    const quiet = write([file('a', ['passed'])], [{ test: 'unknown', stack: 'at nowhere' }])
    expect(countsOfVitest(1, quiet.report, quiet.more)).toMatchObject({ passed: 1, failed: 1 })
  })
})

describe('a file', () => {
  const test = (name: string, fullName: string) => ({ module: { moduleId: name }, fullName })
  function unfinishedAfter(events: (run: More) => void): unknown {
    const more = join(folder, 'more.json')
    const before = process.env.TIDENET_TEST_MORE
    process.env.TIDENET_TEST_MORE = more
    try {
      const run = new More()
      run.onTestRunStart([{ moduleId: 'a' }, { moduleId: 'b' }])
      for (const moduleId of ['a', 'b']) run.onTestModuleQueued({ moduleId })
      events(run)
      run.onTestRunEnd([], [])
    } finally {
      if (before === undefined) delete process.env.TIDENET_TEST_MORE
      else process.env.TIDENET_TEST_MORE = before
    }
    return JSON.parse(readFileSync(more, 'utf8')).unfinished
  }

  it('that ended has ended, even if one of its tests is reported later', () => {
    const unfinished = unfinishedAfter((run) => {
      run.onTestCaseReady(test('a', 'first'))
      for (const moduleId of ['a', 'b']) run.onTestModuleEnd({ moduleId })
      run.onTestCaseReady(test('a', 'last'))
    })
    expect(unfinished).toEqual([])
  })

  it('that did not end is reported with its last test', () => {
    const unfinished = unfinishedAfter((run) => {
      run.onTestCaseReady(test('a', 'first'))
      run.onTestCaseReady(test('a', 'last'))
      run.onTestModuleEnd({ moduleId: 'b' })
    })
    expect(unfinished).toEqual([['a', 'in or after "last"']])
  })
})
