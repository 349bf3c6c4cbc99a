import { connect } from 'node:net'
import type { TemplateName } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { networkAddress, runScript, until } from '../clusters/sample-workloads.fixture.ts'
import { debianEngine, envWith, ownerIn, treeOf } from './debian-images.fixture.ts'
import type { Tenant } from './sample-tenant.fixture.ts'
import { supervise } from './supervise.ts'
import { templates } from './templates.ts'

/**
 * Templates in real containers, deployed as their owners do it. No registry can be reached here, so the image of a template is a file
 * system of Debian packages; command, ports, variables, folders and health check are those of the template.
 */

const PACKAGES: Partial<Record<TemplateName, string>> = {
  nginx: 'nginx-light',
  caddy: 'caddy',
  php: 'php-cli',
  node: 'nodejs',
  python: 'python3',
  redis: 'redis-server',
  mosquitto: 'mosquitto',
}
/** All but one, which `npm test` runs. */
const LONG = { tags: ['long'] }

/** What the registry would send. */
const images = new Map<string, string>()
const { driver, close } = debianEngine((image) => images.get(image), { Env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'] })
const { state, facts } = await driver.probe()
const isReady = state === 'ready' && facts.network !== 'none' && treeOf('redis-server') !== ''

let env: TestEnv
let owner: Tenant
beforeAll(async () => {
  env = await envWith(driver)
  if (isReady) owner = await ownerIn(env)
})
afterAll(async () => {
  await env.close()
  expect(await close()).toEqual([])
})

async function deploy(name: TemplateName) {
  const template = templates.find((one) => one.name === name)
  const packages = PACKAGES[name]
  const tree = packages && treeOf(packages)
  if (tree && template?.image) images.set(template.image, tree)
  const size = { cpu: 0.5, memory: 256, storage: 1 }
  const { data } = await env.call('clusters.deploy', { workspace: owner.space, name, template: name, ...size }, owner)
  const { id } = data
  const generated = Object.fromEntries(data.generated.map((one) => [one.name, one.value]))
  await finishJobs(env.context, features)
  const ref = { workspace: owner.space, workload: id }
  const run = async (script: string) => (await runScript(driver, ref, script)).output
  const address = async () => networkAddress(driver, ref, template?.ports[0] ?? 0)
  return { id, generated, run, address }
}
const shown = async (id: string) =>
  (await env.call('clusters.workspaces', {}, owner)).data.list[0]?.workloads.find((each) => each.id === id)

async function becomesHealthy(id: string): Promise<void> {
  await until(async () => {
    env.pass(30_000)
    await supervise(env.context)
    return (await shown(id))?.health_state === 'healthy'
  })
}
async function restart(id: string): Promise<void> {
  for (const operation of ['clusters.stop', 'clusters.start'] as const) {
    await env.call(operation, { id }, owner)
    await finishJobs(env.context, features)
  }
}
async function remove(id: string): Promise<void> {
  await env.call('clusters.remove', { id }, owner)
  await finishJobs(env.context, features)
}

/** Sends bytes and returns what comes back until the answer contains `end`. */
const talk = async (to: { host: string; port: number }, bytes: Buffer | string, isDone: (answer: Buffer) => boolean) =>
  new Promise<Buffer>((resolve, reject) => {
    let answer = Buffer.alloc(0)
    const socket = connect(to, () => socket.write(bytes))
    socket.on('data', (part) => {
      answer = Buffer.concat([answer, part])
      if (isDone(answer)) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

const getPage = async ({ host, port }: { host: string; port: number }) =>
  (await fetch(`http://${host}:${port}/`)).text()

describe.skipIf(!isReady)('a template', () => {
  it('redis runs with a password of its own, and keeps its data on its disk', async () => {
    const { id, generated, address, run } = await deploy('redis')
    await becomesHealthy(id)
    const password = generated.REDIS_PASSWORD ?? ''
    expect(password.length).toBeGreaterThanOrEqual(24)
    const ask = async (...lines: string[]) =>
      (
        await talk(
          await address(),
          `${lines.join('\r\n')}\r\n`,
          (answer) => answer.filter((one) => one === 10).length >= lines.length,
        )
      ).toString()
    expect(await ask(`AUTH ${password}`, 'SET tide high')).toBe('+OK\r\n+OK\r\n')
    await restart(id)
    await becomesHealthy(id)
    expect(await ask(`AUTH ${password}`, 'GET tide')).toContain('high')
    expect(await run('cat /proc/[0-9]*/cmdline')).not.toContain(password)
    expect(await ask('GET tide')).toMatch(/^-NOAUTH/)
    expect(await ask('AUTH wrong')).toMatch(/^-/)
    await remove(id)
  })

  const WEB: [TemplateName, string][] = [
    ['pages', '/data/pages/index.html'],
    ['nginx', '/data/www/index.html'],
    ['caddy', '/data/www/index.html'],
    ['php', '/data/www/index.php'],
  ]
  it.each(WEB)('%s serves what its owner puts on the disk', LONG, async (name, page) => {
    const { id, address, run } = await deploy(name)
    await becomesHealthy(id)
    expect(await getPage(await address())).toContain('It works')
    await run(`echo changed > ${page}`)
    await restart(id)
    await becomesHealthy(id)
    expect(await getPage(await address())).toBe('changed\n')
    await remove(id)
  })

  it('mosquitto takes messages of those who know its password', LONG, async () => {
    const { id, generated, address } = await deploy('mosquitto')
    await becomesHealthy(id)
    const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)])
    const login = async (password: string) => {
      const body = [text('MQTT'), Buffer.from([4, 0xc2, 0, 60]), text('reader'), text('tide'), text(password)]
      const bytes = Buffer.concat(body)
      const answer = await talk(
        await address(),
        Buffer.concat([Buffer.from([0x10, bytes.length]), bytes]),
        (got) => got.length >= 4,
      )
      return answer[3]
    }
    expect(await login(generated.MQTT_PASSWORD ?? '')).toBe(0)
    expect(await login('wrong')).toBe(5)
    await remove(id)
  })

  it.each([
    ['node', `node -e 'require("http").createServer((_, answer) => answer.end("from node")).listen(3000)'`],
    [
      'python', // Its own server asks for the name of the machine first, which takes long without DNS.
      `cd /tmp && echo from python > index.html && python3 -c 'import socketserver, http.server as h; socketserver.TCPServer(("", 8000), h.SimpleHTTPRequestHandler).serve_forever()'`,
    ],
  ] as [TemplateName, string][])(
    '%s is a machine, whose programs are reached at its port',
    LONG,
    async (name, command) => {
      const { id, address, run } = await deploy(name)
      await until(async () => (await shown(id))?.state === 'running')
      await run(`(${command}) > /tmp/log 2>&1 & sleep 0`)
      await until(async () => (await getPage(await address()).catch(() => '')).startsWith(`from ${name}`))
      await remove(id)
    },
  )
})

describe('what is said about the tests of templates', () => {
  it('is what is tested', () => {
    const tested = templates.filter((one) => one.tested === 'settings').map(({ name }) => name)
    expect(tested.sort()).toEqual(Object.keys(PACKAGES).sort())
    expect(templates.filter((one) => one.tested === 'image').map(({ image }) => image)).toEqual([null, null])
  })
})
