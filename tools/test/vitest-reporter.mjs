// A vitest reporter that writes what the JSON report omits to the file TIDENET_TEST_MORE: unhandled errors, and files that did not end. It
// also ends a run that stands still: a test whose JavaScript never returns stops its own timeout, too, and vitest would wait for it forever.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Longer than the timeout of any test of `npm test`; 0: wait forever. */
const STILL_MS = Number(process.env.TIDENET_TEST_STILL_MS ?? 600_000)

export default class More {
  /** What is known of each file that has not ended, by its path. */
  #unfinished = new Map()
  #running = new Set()
  #heard = Date.now()
  #timer

  onTestRunStart(specifications) {
    for (const { moduleId } of specifications) this.#unfinished.set(moduleId, 'not started')
    if (STILL_MS > 0) this.#timer = setInterval(() => this.#check(), Math.min(STILL_MS, 10_000)).unref()
  }
  onTestModuleQueued({ moduleId }) {
    this.#hear()
    this.#running.add(moduleId)
    this.#unfinished.set(moduleId, 'in its first test or before')
  }
  onTestCaseReady({ module, fullName }) {
    this.#hear()
    // Vitest reports two updates of a worker at the same time, so a module can end before tests of the first update are ready.
    if (this.#unfinished.has(module.moduleId)) this.#unfinished.set(module.moduleId, `in or after "${fullName}"`)
  }
  onTestCaseResult() {
    this.#hear()
  }
  onTestModuleEnd({ moduleId }) {
    this.#hear()
    this.#running.delete(moduleId)
    this.#unfinished.delete(moduleId)
  }
  onTestRunEnd(_, errors) {
    clearInterval(this.#timer)
    const unhandled = errors.map(({ stack, message, VITEST_TEST_NAME: test = 'unknown' }) => ({
      test,
      stack: stack ?? message,
    }))
    writeFileSync(process.env.TIDENET_TEST_MORE, JSON.stringify({ unhandled, unfinished: [...this.#unfinished] }))
  }

  #hear() {
    this.#heard = Date.now()
  }

  #check() {
    if (Date.now() - this.#heard < STILL_MS) return
    this.#hear()
    console.error(`\nNo test has begun or ended for ${STILL_MS / 1000} s:`)
    for (const file of this.#running) console.error(`${file}: ${this.#unfinished.get(file)}`)
    // Vitest goes on without them and their other files.
    for (const worker of workers()) process.kill(worker, 'SIGKILL')
  }
}

/** The processes that this one started; only on Linux. */
function workers() {
  try {
    return readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}
