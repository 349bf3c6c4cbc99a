import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIdentity } from '../identity.ts'
import { type Actions, type CommandName, findService, runCommand } from './commands.ts'
import { type Machine, managerOf } from './managers.ts'
import { readStartSettings } from './start-settings.ts'

let data: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'service-'))
})
afterEach(() => rm(data, { recursive: true }))

/** A machine of the given kind whose commands succeed unless told otherwise. */
function machine(change: Partial<Machine> = {}, fails: (command: string) => boolean = () => false) {
  const files = new Map<string, string>()
  const ran: string[] = []
  const given: string[] = []
  let printed = ''
  const actions: Actions = {
    machine: {
      platform: 'linux',
      env: { TIDENET_LANG: 'en' },
      home: '/home/owner',
      uid: 1000,
      account: 'owner',
      hasSystemd: true,
      ...change,
    },
    program: () => ['/opt/tidenet-node'],
    place: async () => {},
    print: (line) => {
      printed += `${line}\n`
    },
    run: (command) => {
      const line = command.join(' ')
      ran.push(line)
      return { status: fails(line) ? 1 : 0, output: fails(line) ? 'refused' : '' }
    },
    read: (path) => files.get(path),
    write: (path, content) => void files.set(path, content.toString()),
    remove: (path) => void files.delete(path),
    give: (folder, account) => void given.push(`${folder} ${account}`),
  }
  const run = async (name: CommandName, ...argv: string[]) => {
    printed = ''
    await runCommand(name, argv, actions)
    return printed
  }
  return { files, ran, given, run, actions }
}

const UNIT = '/home/owner/.config/systemd/user/tidenet-node.service'
const options = () => ['--server', 'http://127.0.0.1:1', '--data', data, '--area', 'Europe-Germany-Hesse-Frankfurt']

describe('installing a node', () => {
  it('writes the unit and the settings, and starts it', async () => {
    const { files, ran, run } = machine()
    await run('install', ...options(), '--name', 'at home')
    expect(files.get(UNIT)).toContain(`ExecStart="/opt/tidenet-node" "--data" "${data}"`)
    expect(ran).toContain('systemctl --user restart tidenet-node')
    expect(readStartSettings(data)).toMatchObject({
      TIDENET_SERVER: 'http://127.0.0.1:1',
      TIDENET_NODE_NAME: 'at home',
    })
  })

  it('keeps settings that contain tokens out of the unit, and from other accounts', async () => {
    const { files, run } = machine()
    await run('install', ...options(), '--join-token', 'secret-token')
    expect(files.get(UNIT)).not.toContain('secret-token')
    expect((await stat(join(data, 'start.json'))).mode & 0o777).toBe(0o600)
  })

  it('changes one setting of an installed node, and keeps the others', async () => {
    const { run } = machine()
    await run('install', ...options(), '--name', 'first', '--capacity', '1GiB')
    await run('install', '--data', data, '--name', 'second')
    expect(readStartSettings(data)).toMatchObject({ TIDENET_NODE_NAME: 'second', TIDENET_NODE_CAPACITY: '1GiB' })
  })

  it('only prints with --dry-run', async () => {
    const { files, ran, run } = machine()
    const printed = await run('install', ...options(), '--dry-run')
    expect(printed).toContain(UNIT)
    expect(printed).toContain('ExecStart=')
    expect([...files, ...ran]).toEqual([])
    await expect(readFile(join(data, 'start.json'))).rejects.toThrow('ENOENT')
  })

  it('gives a service of the system its account and its folder', async () => {
    const { files, given, run } = machine({ uid: 0 })
    await run('install', ...options(), '--system', '--run-as', 'tide')
    expect(files.get('/etc/systemd/system/tidenet-node.service')).toContain('User=tide')
    expect(given).toEqual([`${data} tide`])
  })

  it.each([
    ['darwin', '/Users/owner/Library/LaunchAgents/net.tidenet.node.plist', 'launchctl bootstrap gui/1000'],
  ] as const)('uses what %s has', async (platform, file, command) => {
    const { files, ran, run } = machine({ platform, home: '/Users/owner' })
    await run('install', ...options())
    expect(files.get(file)).toContain(data)
    expect(ran.some((line) => line.startsWith(command))).toBe(true)
  })

  it('shows the task of Windows', async () => {
    const { run } = machine({
      platform: 'win32',
      uid: undefined,
      env: { LOCALAPPDATA: 'C:\\Local', TIDENET_LANG: 'en' },
    })
    const rest = ['--server', 'http://127.0.0.1:1', '--area', 'Europe-Germany-Hesse-Frankfurt']
    const printed = await run('install', ...rest, '--data', 'D:\\tide', '--dry-run')
    expect(printed).toContain('C:\\Local\\Tidenet\\tidenet-node.xml')
    expect(printed).toContain('<Arguments>--data D:\\tide</Arguments>')
  })
})

describe('an installed node', () => {
  it('is shown with its state, its portal and its identity', async () => {
    const { run } = machine()
    await run('install', ...options())
    expect(await run('status')).toContain('not started yet')
    const { id } = await openIdentity(data, 'edge')
    const shown = await run('status')
    for (const part of [UNIT, 'running', 'http://127.0.0.1:1', id]) expect(shown).toContain(part)
  })

  it.each<[NodeJS.Platform, string, Partial<Machine>]>([
    ['linux', '/srv/a "b" 100%$', {}],
    ['darwin', '/Volumes/a & b', { home: '/Users/owner' }],
    ['win32', 'D:\\tide data', { env: { LOCALAPPDATA: 'C:\\Local', TIDENET_LANG: 'en' }, uid: undefined }],
  ])('is found on %s by its data folder', async (platform, folder, more) => {
    const { files, actions } = machine({ platform, ...more })
    const file = managerOf(actions.machine, 'user')
    const spec = { command: ['/opt/tidenet-node', '--data', folder], data: folder, scope: 'user' as const }
    files.set(file?.file ?? '', file?.write(spec).toString() ?? '')
    expect(findService(actions)).toMatchObject({ data: folder, scope: 'user' })
  })

  it('is removed without its data, and only once', async () => {
    const { files, ran, run } = machine()
    await run('install', ...options())
    await writeFile(join(data, 'node.key'), 'the key')
    expect(await run('uninstall', '--dry-run')).toContain(UNIT)
    expect(files.has(UNIT)).toBe(true)
    await run('uninstall')
    expect(files.has(UNIT)).toBe(false)
    expect(ran).toContain('systemctl --user disable --now tidenet-node')
    expect(await readFile(join(data, 'node.key'), 'utf8')).toBe('the key')
    expect(await run('uninstall')).toContain('not installed')
  })

  it('moves to another disk with its settings', async () => {
    const { files, run } = machine()
    await run('install', ...options(), '--name', 'at home')
    const other = await mkdtemp(join(tmpdir(), 'service-'))
    try {
      await cp(data, other, { recursive: true })
      await run('uninstall')
      await run('install', '--data', other)
      expect(files.get(UNIT)).toContain(`"--data" "${other}"`)
      expect(readStartSettings(other)).toMatchObject({ TIDENET_NODE_NAME: 'at home', TIDENET_NODE_DATA: other })
    } finally {
      await rm(other, { recursive: true })
    }
  })

  it('speaks the language of its owner', async () => {
    const { run } = machine({ env: { LANG: 'zh_CN.UTF-8' } })
    expect(await run('uninstall')).toContain('节点尚未安装')
  })
})

describe('refused with what to do:', () => {
  it.each([
    ['a machine without systemd', { hasSystemd: false }, [], /own supervisor/],
    ['a system without services', { platform: 'freebsd' }, [], /Start the program yourself/],
    ['a service of the system without an account', { uid: 0 }, ['--system'], /--run-as/],
    ['a service of the system as root', { uid: 0 }, ['--system', '--run-as', 'root'], /Do not use root/],
    ['a service of the system by an ordinary user', {}, ['--system', '--run-as', 'tide'], /administrator/],
    ['another account for the service of a user', {}, ['--run-as', 'tide'], /--system/],
    ['both kinds at once', {}, ['--system', '--user'], /either/],
    ['an unknown option', {}, ['--colour', 'red'], /Unknown option/],
    ['an area that no node could start with', {}, ['--area', 'here'], /TIDENET_NODE_AREA/],
  ] as const)('%s', async (_, change, argv, message) => {
    const { files, run } = machine(change as Partial<Machine>)
    await expect(run('install', ...options(), ...argv)).rejects.toThrow(message)
    expect(files.size).toBe(0)
  })

  it('an account that does not exist, and a service manager that refuses', async () => {
    const nobody = machine({ uid: 0 }, (line) => line.startsWith('id '))
    await expect(nobody.run('install', ...options(), '--system', '--run-as', 'nobody-here')).rejects.toThrow(
      /no account/,
    )
    const failing = machine({}, (line) => line.includes('enable'))
    await expect(failing.run('install', ...options())).rejects.toThrow(/enable tidenet-node failed: refused/)
  })

  it('a second node in another folder', async () => {
    const { run } = machine()
    await run('install', ...options())
    const other = await mkdtemp(join(tmpdir(), 'service-'))
    try {
      await expect(run('install', ...options(), '--data', other)).rejects.toThrow(/another data folder/)
    } finally {
      await rm(other, { recursive: true })
    }
  })

  it('damaged settings', async () => {
    await writeFile(join(data, 'start.json'), '{"PATH":"/tmp"}')
    expect(() => readStartSettings(data)).toThrow(/damaged/)
  })
})
