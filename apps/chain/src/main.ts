import { createClock } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { readChainConfig } from './config.ts'
import { runChain } from './program.ts'

runProgram(async () => {
  const clock = createClock()
  const running = await runChain({ ...readChainConfig(process.env), clock })
  const { url, operator, token, orders, rewards, tnt4 } = running
  return {
    ready: { url, port: Number(new URL(url).port), operator: operator.file, token, orders, rewards, tnt4 },
    stop: () => running.stop(),
    onClock: (offsetMs) => clock.move(offsetMs),
  }
})
