// The ingress in a process of its own, with one program of a tenant. Prints host and port; ends with its stdin.
// Usage: part-ingress.mjs <port of the program>, with TIDENET_TEST_DATABASE.
import { loadFixture } from '../tools/load-fixture.mjs'

const { samplePrograms } = await loadFixture('apps/server/src/compute/ingress/sample-programs.fixture.ts')
const programs = await samplePrograms()
const tenant = await programs.tenant()
const { id, host } = await programs.program(tenant)
programs.sample.control.listening.set(`${id}:80`, { host: '127.0.0.1', port: Number(process.argv[2]) })
await programs.publish(tenant, id)
console.log(JSON.stringify({ host, port: programs.ingress.port }))
process.stdin.resume()
process.stdin.on('end', async () => {
  await programs.close()
  process.exit()
})
