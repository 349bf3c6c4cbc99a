import { posix, win32 } from 'node:path'
import {
  LAUNCHD_LABEL,
  launchdPlist,
  type Scope,
  SERVICE,
  type ServiceSpec,
  systemdUnit,
  windowsTask,
} from './service-files.ts'

/** A machine as the commands for the service see it; tests replace it. */
export interface Machine {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  home: string
  /** Effective user ID; 0 is root. Undefined on Windows. */
  uid: number | undefined
  account: string
  /** Whether systemd manages this machine. */
  hasSystemd: boolean
}

/** How a system starts programs. */
export interface ServiceManager {
  /** Path of the file that describes the service. */
  file: string
  write: (spec: ServiceSpec) => string | Uint8Array
  start: string[][]
  /** Stops it until it is started again; may fail: it may not run. */
  halt: string[]
  /** Commands that may fail: the service may not run. */
  stop: string[][]
  /** After the file was removed. */
  forget: string[][]
  /** Exits with 0 if the service runs. */
  isRunning: string[]
}

/** @returns undefined if services of this system are not supported */
export function managerOf({ platform, env, home, uid }: Machine, scope: Scope): ServiceManager | undefined {
  const isSystem = scope === 'system'
  if (platform === 'linux') {
    const systemctl = ['systemctl', ...(isSystem ? [] : ['--user'])]
    const folder = isSystem
      ? '/etc/systemd/system'
      : posix.join(env.XDG_CONFIG_HOME || posix.join(home, '.config'), 'systemd/user')
    return {
      file: posix.join(folder, `${SERVICE}.service`),
      write: systemdUnit,
      start: [
        [...systemctl, 'daemon-reload'],
        [...systemctl, 'enable', SERVICE],
        [...systemctl, 'restart', SERVICE],
      ],
      halt: [...systemctl, 'stop', SERVICE],
      stop: [[...systemctl, 'disable', '--now', SERVICE]],
      forget: [[...systemctl, 'daemon-reload']],
      isRunning: [...systemctl, 'is-active', '--quiet', SERVICE],
    }
  }
  if (platform === 'darwin') {
    const domain = isSystem ? 'system' : `gui/${uid}`
    const file = posix.join(
      isSystem ? '/Library/LaunchDaemons' : posix.join(home, 'Library/LaunchAgents'),
      `${LAUNCHD_LABEL}.plist`,
    )
    return {
      file,
      write: launchdPlist,
      start: [['launchctl', 'bootstrap', domain, file]],
      halt: ['launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`],
      stop: [['launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`]],
      forget: [],
      isRunning: ['launchctl', 'print', `${domain}/${LAUNCHD_LABEL}`],
    }
  }
  if (platform === 'win32') {
    const folder = isSystem
      ? env.ProgramData || 'C:\\ProgramData'
      : env.LOCALAPPDATA || win32.join(home, 'AppData\\Local')
    const file = win32.join(folder, 'Tidenet', `${SERVICE}.xml`)
    return {
      file,
      // The Task Scheduler reads UTF-16 with a byte order mark.
      write: (spec) => Buffer.from(`\ufeff${windowsTask(spec)}`, 'utf16le'),
      start: [
        ['schtasks', '/Create', '/TN', SERVICE, '/XML', file, '/F'],
        ['schtasks', '/Run', '/TN', SERVICE],
      ],
      halt: ['schtasks', '/End', '/TN', SERVICE],
      stop: [
        ['schtasks', '/End', '/TN', SERVICE],
        ['schtasks', '/Delete', '/TN', SERVICE, '/F'],
      ],
      forget: [],
      isRunning: ['schtasks', '/Query', '/TN', SERVICE],
    }
  }
  return undefined
}
