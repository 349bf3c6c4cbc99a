import { StartError } from '@tidenet/daemon/start-error'

/** Who runs the service: the user who installs it, while signed in or lingering; or the system, from its start. */
export type Scope = 'user' | 'system'

export interface ServiceSpec {
  /** Absolute path of the program and its arguments. */
  command: readonly string[]
  /** Data folder, absolute. */
  data: string
  scope: Scope
  /** Linux and macOS, for the system: the account as which it runs. */
  account?: string | undefined
}

export const SERVICE = 'tidenet-node'
export const LAUNCHD_LABEL = 'net.tidenet.node'
/** A start that failed for good, see packages/daemon/src/start-error.ts. */
const EXIT_PERMANENT = 78
const DESCRIPTION = 'Tidenet storage node'

/** @throws StartError for characters that no service file can contain */
function requirePlain(values: readonly string[]): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const bad = values.find((value) => /[\u0000-\u001f\u007f]/.test(value))
  if (bad !== undefined)
    throw new StartError(
      `${JSON.stringify(bad)} contains a control character. Use another name. 名称含有控制字符，请更换。`,
    )
}

/** A unit of systemd; see systemd.service(5) and systemd.exec(5). */
export function systemdUnit({ command, data, scope, account }: ServiceSpec): string {
  requirePlain([...command, data, account ?? ''])
  // In a command, % begins a specifier and $ a variable.
  const word = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replace(/%/g, '%%').replace(/\$/g, '$$$$')}"`
  const path = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replace(/%/g, '%%')}"`
  const hardening = [
    'NoNewPrivileges=yes',
    ...(scope === 'system'
      ? [
          'ProtectSystem=strict',
          `ReadWritePaths=${path(data)}`,
          'PrivateTmp=yes',
          'PrivateDevices=yes',
          'ProtectKernelTunables=yes',
          'ProtectControlGroups=yes',
          'RestrictSUIDSGID=yes',
        ]
      : []),
  ]
  return `${[
    '[Unit]',
    `Description=${DESCRIPTION}`,
    'Wants=network-online.target',
    'After=network-online.target',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    // An update replaces the program and ends it, so that it is started again.
    'Environment=TIDENET_SERVICE_MANAGER=systemd',
    `ExecStart=${command.map(word).join(' ')}`,
    ...(scope === 'system' && account ? [`User=${account}`] : []),
    'Restart=always',
    'RestartSec=5',
    `RestartPreventExitStatus=${EXIT_PERMANENT}`,
    'TimeoutStopSec=20',
    'UMask=0077',
    ...hardening,
    '',
    '[Install]',
    `WantedBy=${scope === 'system' ? 'multi-user' : 'default'}.target`,
  ].join('\n')}\n`
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

/** A property list of launchd; see launchd.plist(5). */
export function launchdPlist({ command, data, scope, account }: ServiceSpec): string {
  requirePlain([...command, data, account ?? ''])
  const string = (text: string) => `<string>${escapeXml(text)}</string>`
  const entry = (key: string, value: string) => `  <key>${key}</key>\n  ${value}`
  const log = `${data}/node.log`
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    entry('Label', string(LAUNCHD_LABEL)),
    entry('ProgramArguments', `<array>\n${command.map((word) => `    ${string(word)}`).join('\n')}\n  </array>`),
    ...(scope === 'system' && account ? [entry('UserName', string(account))] : []),
    entry('EnvironmentVariables', '<dict><key>TIDENET_SERVICE_MANAGER</key><string>launchd</string></dict>'),
    entry('RunAtLoad', '<true/>'),
    entry('KeepAlive', '<true/>'),
    entry('ThrottleInterval', '<integer>10</integer>'),
    entry('ExitTimeOut', '<integer>20</integer>'),
    // 077: what the node writes is for its account alone.
    entry('Umask', '<integer>63</integer>'),
    entry('StandardOutPath', string(log)),
    entry('StandardErrorPath', string(log)),
    '</dict>',
    '</plist>',
  ].join('\n')}\n`
}

/** An argument as CommandLineToArgvW reads it. */
const windowsWord = (text: string) =>
  /^[^\s"]+$/.test(text) ? text : `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`

/**
 * A task of the Windows Task Scheduler. A service would have to answer the service manager, which a program made of Node.js cannot: Windows
 * would end it after 30 seconds. A task starts with the system, too, and again after a failure.
 */
export function windowsTask({ command, data, scope }: ServiceSpec): string {
  requirePlain([...command, data])
  const [program = '', ...args] = command
  const text = (name: string, value: string) => `<${name}>${escapeXml(value)}</${name}>`
  return `${[
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    `  <RegistrationInfo>${text('Description', DESCRIPTION)}</RegistrationInfo>`,
    `  <Triggers>${scope === 'system' ? '<BootTrigger/>' : '<LogonTrigger/>'}</Triggers>`,
    '  <Principals>',
    '    <Principal id="Author">',
    // Local Service: an account without rights over the machine.
    `      ${scope === 'system' ? text('UserId', 'S-1-5-19') : '<LogonType>InteractiveToken</LogonType>'}`,
    '      <RunLevel>LeastPrivilege</RunLevel>',
    '    </Principal>',
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">',
    `    <Exec>${text('Command', program)}${text('Arguments', args.map(windowsWord).join(' '))}${text('WorkingDirectory', data)}</Exec>`,
    '  </Actions>',
    '</Task>',
  ].join('\r\n')}\r\n`
}
