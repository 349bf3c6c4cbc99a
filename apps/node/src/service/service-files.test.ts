import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchdPlist, type ServiceSpec, systemdUnit, windowsTask } from './service-files.ts'

const spec: ServiceSpec = {
  command: ['/opt/tide net/tidenet-node', '--data', '/srv/tide 100%/"a" $HOME'],
  data: '/srv/tide 100%/"a" $HOME',
  scope: 'system',
  account: 'tide',
}
const user: ServiceSpec = { command: ['/bin/true', '--data', '/tmp/a b'], data: '/tmp/a b', scope: 'user' }
const hasVerify = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0

describe('a unit of systemd', () => {
  it('starts the program with exactly its arguments, again after each end but one that is final', () => {
    const unit = systemdUnit(spec)
    expect(unit).toContain('ExecStart="/opt/tide net/tidenet-node" "--data" "/srv/tide 100%%/\\"a\\" $$HOME"\n')
    expect(unit).toContain('Restart=always')
    expect(unit).toContain('RestartPreventExitStatus=78')
  })

  it('gives the system’s service an account, and no folder to write to but its own', () => {
    const unit = systemdUnit(spec)
    expect(unit).toContain('User=tide\n')
    expect(unit).toContain('ProtectSystem=strict\nReadWritePaths="/srv/tide 100%%/\\"a\\" $HOME"\n')
    expect(unit).toContain('WantedBy=multi-user.target')
    expect(systemdUnit(user)).not.toContain('User=')
    expect(systemdUnit(user)).toContain('WantedBy=default.target')
  })

  it.skipIf(!hasVerify).each(['user', 'system'] as const)('is one that systemd accepts (%s)', (scope) => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'))
    try {
      const path = join(folder, 'tidenet-node.service')
      writeFileSync(path, systemdUnit({ ...user, scope, ...(scope === 'system' && { account: 'daemon' }) }))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', path], {
        encoding: 'utf8',
      })
      expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('tidenet-node')) }).toEqual({
        status: 0,
        stderr: [],
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a property list of launchd', () => {
  it('contains every argument as text, and keeps the program running', () => {
    const plist = launchdPlist({ ...spec, command: ['/a & b', '<c>'] })
    expect(plist).toContain('<string>/a &#38; b</string>\n    <string>&#60;c&#62;</string>')
    expect(plist).toContain('<key>KeepAlive</key>\n  <true/>')
    expect(plist).toContain('<key>UserName</key>\n  <string>tide</string>')
    expect(launchdPlist(user)).not.toContain('UserName')
  })
})

describe('a task of Windows', () => {
  it('quotes what has spaces, quotation marks and backslashes at its end', () => {
    const task = windowsTask({
      command: ['C:\\Tide Net\\tidenet-node.exe', '--data', 'D:\\a b\\', 'say "x"'],
      data: 'D:\\a b\\',
      scope: 'user',
    })
    expect(task).toContain('<Command>C:\\Tide Net\\tidenet-node.exe</Command>')
    expect(task).toContain('<Arguments>--data &#34;D:\\a b\\\\&#34; &#34;say \\&#34;x\\&#34;&#34;</Arguments>')
  })

  it('has no limit of time, and starts with the system as an account without rights', () => {
    expect(windowsTask(user)).toContain('<LogonTrigger/>')
    const task = windowsTask(spec)
    expect(task).toContain('<BootTrigger/>')
    expect(task).toContain('<UserId>S-1-5-19</UserId>')
    expect(task).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>')
    expect(task).toContain('LeastPrivilege')
  })
})

it.each([systemdUnit, launchdPlist, windowsTask])('refuses names that would add lines to the file', (write) => {
  expect(() => write({ ...user, data: '/tmp/a\nExecStartPre=/bin/rm' })).toThrow(/control character/)
  expect(() => write({ ...user, command: ['/bin/true\n[Install]'] })).toThrow(/control character/)
})
