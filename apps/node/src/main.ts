import { createClock } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { createNode } from './app.ts'
import { readNodeConfig } from './config.ts'

runProgram(async () => {
  const clock = createClock()
  const node = await createNode({ ...readNodeConfig(process.env), clock })
  const { port } = new URL(node.url)
  return {
    ready: { url: node.url, port: Number(port), id: node.id },
    stop: () => node.stop(),
    onClock: (offsetMs) => clock.move(offsetMs),
  }
})
