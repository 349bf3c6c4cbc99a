// A reporter of vitest: what nobody caught during a run, in the file that TIDENET_TEST_UNHANDLED names. The JSON report leaves it out.
import { writeFileSync } from 'node:fs'

export default class Unhandled {
  onTestRunEnd(_, errors) {
    const told = errors.map(({ stack, message, VITEST_TEST_NAME: test = 'unknown' }) => ({
      test,
      stack: stack ?? message,
    }))
    writeFileSync(process.env.TIDENET_TEST_UNHANDLED, JSON.stringify(told))
  }
}
