// A vitest reporter that writes what the JSON report omits to the file TIDENET_TEST_MORE: unhandled errors, and tests that passed only on
// retry.
import { writeFileSync } from 'node:fs'

export default class More {
  #flaky = []

  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return
    const [error] = test.result().errors ?? []
    this.#flaky.push(`${test.module.relativeModuleId} › ${test.fullName}\n${(error?.message ?? '').slice(0, 2000)}`)
  }

  onTestRunEnd(_, errors) {
    const unhandled = errors.map(({ stack, message, VITEST_TEST_NAME: test = 'unknown' }) => ({
      test,
      stack: stack ?? message,
    }))
    writeFileSync(process.env.TIDENET_TEST_MORE, JSON.stringify({ unhandled, flaky: this.#flaky }))
  }
}
