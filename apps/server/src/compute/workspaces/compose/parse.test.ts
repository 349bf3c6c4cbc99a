// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose
import { describe, expect, it } from 'vitest'
import { GB } from '../../clusters/sizes.ts'
import { parseCompose } from './parse.ts'

const MB = 1024 ** 2
const read = (text: string, values: Record<string, string> = {}) => parseCompose(text, values)
/** The only service of a file, with these lines. */
const web = (lines: string, values: Record<string, string> = {}) => {
  const body = lines
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
  const { programs, refused, notes } = read(
    `services:\n  web:\n    image: nginx\n${body}\nvolumes: {data: , more: }\n`,
    values,
  )
  return { web: programs[0], refused: refused.map(({ path, reason }) => `${path}: ${reason}`), notes }
}

const FILE = `
name: shop
x-usual: &usual
  restart: unless-stopped
  deploy: { resources: { limits: { cpus: '0.3', memory: 256M } } }
services:
  web:
    <<: *usual
    image: ghcr.io/shop/web:\${TAG:-3}
    entrypoint: /start.sh
    command: serve --name "my shop"
    environment:
      DATABASE: postgres://db/shop
      PORT: 8080
      PRICE: $$5
    ports: ['80:8080', '127.0.0.1:9000:9000/tcp', { target: 8443, published: 443 }]
    depends_on: { db: { condition: service_started } }
    working_dir: /srv
    user: 1000:1000
    healthcheck:
      test: [CMD, curl, -f, http://localhost:8080/health]
      interval: 1m30s
      retries: 5
  db:
    image: postgres:17
    environment: ['POSTGRES_PASSWORD=\${PASSWORD}', MODE=a=b]
    volumes: ['data:/var/lib/postgresql/data', /var/log/postgresql]
    x-storage: 12G
    restart: on-failure
volumes:
  data:
`

describe('a Compose file', () => {
  it('becomes programs, after those that they depend on', () => {
    const { programs, refused, variables } = read(FILE, { PASSWORD: 'a b' })
    expect(refused).toEqual([])
    expect(variables).toEqual(['TAG', 'PASSWORD'])
    const [db, shop] = programs
    expect(db).toMatchObject({
      name: 'db',
      image: 'postgres:17',
      env: { POSTGRES_PASSWORD: 'a b', MODE: 'a=b' },
      paths: ['/var/lib/postgresql/data', '/var/log/postgresql'],
      size: { cpu: 0.5, memory: 512 * MB, storage: 12 * GB },
      restart: 'on-failure',
    })
    expect(shop).toMatchObject({
      name: 'web',
      image: 'ghcr.io/shop/web:3',
      entrypoint: ['/start.sh'],
      command: ['serve', '--name', 'my shop'],
      env: { DATABASE: 'postgres://db/shop', PORT: '8080', PRICE: '$5' },
      ports: [8080, 9000, 8443],
      size: { cpu: 0.3, memory: 256 * MB },
      restart: 'always',
      user: '1000:1000',
      workingDir: '/srv',
      health: { kind: 'http', port: 8080, path: '/health', interval: 90, threshold: 5 },
      after: ['db'],
    })
  })

  it('says where it will differ from Docker', () => {
    const { notes } = read(
      `services:
  db: {image: postgres}
  web:
    image: nginx
    ports: ['80:8080', 9000]
    depends_on: {db: {condition: service_healthy}}
    healthcheck: {test: nc -z localhost 9000, timeout: 5s}`,
    )
    expect(notes.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'services.web.ports.0: hostPort',
      'services.web.depends_on.db: order',
      'services.web.healthcheck.timeout: healthTiming',
    ])
  })

  it.each([
    ['wget -qO- http://127.0.0.1/up || exit 1', { kind: 'http', port: 80, path: '/up' }],
    ['[CMD-SHELL, "curl --fail localhost:3000 || exit 1"]', { kind: 'http', port: 3000, path: '/' }],
    ['[CMD, nc, -z, localhost, "5432"]', { kind: 'tcp', port: 5432 }],
    ['[NONE]', null],
  ])('has the health check of %s', (test, health) => {
    const found = web(`healthcheck: { test: ${test} }`)
    expect(found.refused).toEqual([])
    if (health) expect(found.web?.health).toMatchObject(health)
    else expect(found.web?.health).toBe(null)
    // The server asks a port that the program is said to have.
    if (health) expect(found.web?.ports).toEqual([health.port])
  })
})

describe('variables', () => {
  it('are few enough in all copies of a text together', () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `\${v${index}-}`).join('')
    const copies = Array.from({ length: 90 }, () => '*a').join(', ')
    const before = process.cpuUsage()
    const { refused } = read(`x-a: &a "${text}"\nx-b: [${copies}]\nservices: {web: {image: nginx}}\n`)
    expect(refused[0]).toMatchObject({ path: 'x-a', reason: 'value' })
    expect(process.cpuUsage(before).user).toBeLessThan(1e6)
  })

  it('that grow beyond a megabyte are refused before the text exists', () => {
    const before = process.memoryUsage().rss
    const { refused } = web(`working_dir: "/${'$A'.repeat(60_000)}"`, { A: 'x'.repeat(4000) })
    expect(refused).toContain('services.web.working_dir: value')
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6)
  })

  it.each([
    ['$A', 'one'],
    ['${A}', 'one'],
    ['${A}-${A}', 'one-one'],
    ['${A:-x}', 'one'],
    ['${B:-x}', 'x'],
    ['${B-x}', ''],
    ['${C-x}', 'x'],
    ['${C:-${A}}', 'one'],
    ['${C:-${D:-deep}}', 'deep'],
    ['${A:+set}', 'set'],
    ['${B:+set}', ''],
    ['${B+set}', 'set'],
    ['$$A', '$A'],
    ['${__proto__:-x}', 'x'],
    ['${constructor-x}', 'x'],
  ])('%s is %s', (text, value) => {
    expect(web(`environment: ["V=${text}"]`, { A: 'one', B: '' }).web?.env.V).toBe(value)
  })

  it.each(['$C', '${C}', '${C?needed}', '${B:?needed}'])('%s without a value is refused by name', (text) => {
    const { refused } = read(`services: {web: {image: "${text}"}}`, { B: '' })
    expect(refused).toMatchObject([{ path: 'services.web.image', reason: 'variable', detail: /B|C/.exec(text)?.[0] }])
  })

  it.each(['${', '${}', '$', '${A', '${A!x}', '${1}'])('%s is refused', (text) => {
    expect(read(`services: {web: {image: '${text}'}}`, { A: 'a' }).refused[0]?.reason).toBe('value')
  })

  it('cannot become keys or structure, and are used a limited number of times', () => {
    const { programs } = read('services: {web: {image: "$A"}}', { A: 'x\n    privileged: true' })
    expect(programs[0]?.image).toBe('x\n    privileged: true')
    const many = Array.from({ length: 3000 }, () => '$A').join('')
    const list = Array.from({ length: 40 }, (_, index) => `"V${index}=${many}"`).join(',')
    expect(
      read(`services: {web: {image: a, environment: [${list}]}}`, { A: 'x'.repeat(4000) }).refused.length,
    ).toBeGreaterThan(0)
  })

  it('never come from the server', () => {
    expect(read('services: {web: {image: "$PATH"}}').refused).toMatchObject([{ reason: 'variable', detail: 'PATH' }])
  })
})

describe('what is not supported is refused by its path', () => {
  it.each([
    ['network_mode: host', 'services.web.network_mode: unsupported'],
    ['privileged: true', 'services.web.privileged: unsupported'],
    ['cap_add: [SYS_ADMIN]', 'services.web.cap_add: unsupported'],
    ['devices: [/dev/kvm]', 'services.web.devices: unsupported'],
    ['env_file: .env', 'services.web.env_file: unsupported'],
    ['build: .', 'services.web.build: unsupported'],
    ['__proto__: {a: 1}', 'services.web.__proto__: unsupported'],
    ['constructor: x', 'services.web.constructor: unsupported'],
    ['deploy: {replicas: 2}', 'services.web.deploy.replicas: unsupported'],
    ['deploy: {resources: {reservations: {cpus: 1}}}', 'services.web.deploy.resources.reservations: unsupported'],
    ['deploy: {resources: {limits: {pids: 1}}}', 'services.web.deploy.resources.limits.pids: unsupported'],
    ['deploy: {resources: {limits: {memory: lots}}}', 'services.web.deploy.resources.limits.memory: value'],
    ['volumes: [./data:/data]', 'services.web.volumes.0: bind'],
    ['volumes: [/etc:/etc]', 'services.web.volumes.0: bind'],
    ['volumes: [/var/run/docker.sock:/var/run/docker.sock]', 'services.web.volumes.0: bind'],
    ['volumes: [{type: bind, source: /, target: /host}]', 'services.web.volumes.0: bind'],
    ['volumes: [{type: tmpfs, target: /tmp}]', 'services.web.volumes.0: value'],
    ['volumes: [other:/srv]', 'services.web.volumes.0: undeclared'],
    ['volumes: [data:/srv:ro]', 'services.web.volumes.0: value'],
    ['volumes: [data:/srv, data:/more]', 'services.web.volumes.1: shared'],
    ['volumes: [data:/proc/sys]', 'services.web.volumes.0: value'],
    ['volumes: [data:/a/../etc]', 'services.web.volumes.0: value'],
    ['volumes: [data:/]', 'services.web.volumes.0: value'],
    ['ports: [53/udp]', 'services.web.ports.0: port'],
    ['ports: [8000-8010]', 'services.web.ports.0: port'],
    ['ports: [70000]', 'services.web.ports.0: port'],
    ['environment: [HOME]', 'services.web.environment.0: variable'],
    ['environment: {DEBUG: true}', 'services.web.environment.DEBUG: value'],
    ['environment: {1: a}', 'services.web.environment.1: value'],
    ['environment: ["A=1", "A=2"]', 'services.web.environment.1: value'],
    ['depends_on: [db]', 'services.web.depends_on.0: undeclared'],
    ['depends_on: {web: {condition: service_completed_successfully}}', 'services.web.depends_on.web: value'],
    ['restart: on-failure:3', 'services.web.restart: value'],
    ['command: "echo \'open"', 'services.web.command: value'],
    ['user: "$$(id)"', 'services.web.user: value'],
    ['working_dir: srv', 'services.web.working_dir: value'],
    ['healthcheck: {test: pg_isready}', 'services.web.healthcheck.test: check'],
    ['healthcheck: {test: curl http://10.0.0.1/}', 'services.web.healthcheck.test: check'],
    ['healthcheck: {test: "curl localhost; rm -rf /"}', 'services.web.healthcheck.test: check'],
    ['healthcheck: {test: curl localhost, retries: 50}', 'services.web.healthcheck.retries: value'],
  ])('%s', (lines, refusal) => {
    expect(web(lines).refused).toContain(refusal)
  })

  it.each([
    ['networks: {a: }\nservices: {web: {image: a}}', 'networks: unsupported'],
    ['include: [other.yaml]\nservices: {web: {image: a}}', 'include: unsupported'],
    ['services: {web: {}}', 'services.web: image'],
    ['services: {web: nginx}', 'services.web: value'],
    ['services: {My_App: {image: a}}', 'services.My_App: name'],
    ['services: {}', 'services: value'],
    ['services: {web: {image: a}}\nvolumes: {data: {external: true}}', 'volumes.data.external: unsupported'],
    ['services: {a: {image: a, depends_on: [b]}, b: {image: b, depends_on: [a]}}', 'services.a.depends_on: cycle'],
    [
      'services: {a: {image: a, volumes: ["v:/a"]}, b: {image: b, volumes: ["v:/b"]}}\nvolumes: {v: }',
      'services.b.volumes.0: shared',
    ],
    [`services: {${Array.from({ length: 17 }, (_, index) => `a${index}: {image: a}`).join(', ')}}`, 'services: many'],
  ])('%s', (text, refusal) => {
    expect(read(text).refused.map(({ path, reason }) => `${path}: ${reason}`)).toContain(refusal)
  })
})

describe('a hostile document', () => {
  const laughs = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++) {
    const [before, name] = [String.fromCharCode(96 + level), String.fromCharCode(97 + level)]
    laughs.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`)
  }
  it.each([
    ['an alias bomb', laughs.join('\n')],
    ['an alias of itself', 'services: &a {web: *a}'],
    ['a merge of itself', 'services: &a\n  <<: *a\n  web: {image: a}'],
    ['a key twice', 'services: {web: {image: a}, web: {image: b}}'],
    ['a key that is no text', 'services: {? [a, b] : {image: a}}'],
    ['a document of 1 MB', `services: {web: {image: a}}\n#${'x'.repeat(1024 * 1024)}`],
    ['a thousand brackets', `services: ${'['.repeat(5000)}`],
    ['a thousand levels', Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['a thousand lists', `services: ${'- '.repeat(5000)}`],
    ['two documents', 'services: {web: {image: a}}\n---\nservices: {}'],
    ['a custom type', 'services: {web: {image: !!js/function "x"}}'],
    ['an unfinished text', 'services: {web: {image: "a'],
    ['no YAML at all', '\0\u0001\u0002'],
    ['nothing', ''],
  ])('with %s is refused quickly', (_, text) => {
    const start = performance.now()
    expect(read(text).refused.length).toBeGreaterThan(0)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
