// A vitest reporter that writes what the JSON report omits to the file TIDENET_TEST_MORE: unhandled errors.
import { writeFileSync } from 'node:fs'

export default class More {
  onTestRunEnd(_, errors) {
    const unhandled = errors.map(({ stack, message, VITEST_TEST_NAME: test = 'unknown' }) => ({
      test,
      stack: stack ?? message,
    }))
    writeFileSync(process.env.TIDENET_TEST_MORE, JSON.stringify({ unhandled }))
  }
}
