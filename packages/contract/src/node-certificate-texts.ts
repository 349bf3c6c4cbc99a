import { formatDuration } from './errors/entry.ts'
import type { CertificateProblem } from './node-certificates.ts'

type Texts = Readonly<Record<Exclude<CertificateProblem, ''>, (detail: string) => string>>

/** What is wrong and what to do, for the owner of the node: in the portal, in e-mails and in the node's log. */
export const certificateTextsEn: Texts = {
  queued: () => 'The certificate is being ordered. There is nothing to do.',
  unreached: () =>
    'The server has not reached the device, so no certificate is ordered yet. Keep the device on, and allow it to connect to the relays of the network.',
  quota: () =>
    'The certificate waits: CAs issue a limited number a week. It comes by itself; keep the device on and do not delete its data folder.',
  request: () =>
    'The CA refuses the key of the device. Stop the device, delete tls.key in its data folder and start it again.',
  clock: (detail) => {
    const ahead = Number(detail)
    return `The clock of the device is ${formatDuration(ahead, 'en')} ${ahead > 0 ? 'ahead of' : 'behind'} the server’s, so it gets no certificate. Correct the clock, preferably with a time service (NTP).`
  },
  dns: () =>
    'The CA cannot verify the names of the network. The operators have to correct it; there is nothing to do on the device.',
  ca: () =>
    'The CA issues no certificate at present. It is asked again by itself; there is nothing to do on the device.',
  expired: () =>
    'The certificate has expired, so browsers refuse the device. Start the device, and check its clock and that it reaches the server.',
}

export const certificateTextsZh: Texts = {
  queued: () => '证书签发中，无需操作。',
  unreached: () => '服务器尚未连通该设备，因此还没有申请证书。请保持设备开机，并允许其连接网络的中继。',
  quota: () => '证书排队中：证书机构每周签发数量有限。签发后自动生效，请保持设备开机，不要删除其数据文件夹。',
  request: () => '证书机构拒绝了该设备的密钥。请停止设备，删除数据文件夹中的 tls.key，然后重新启动。',
  clock: (detail) => {
    const ahead = Number(detail)
    return `设备时钟比服务器${ahead > 0 ? '快' : '慢'}${formatDuration(ahead, 'cn')}，因此无法获得证书。请校准时钟，建议使用时间同步服务（NTP）。`
  },
  dns: () => '证书机构无法验证该网络的域名，需由运营者处理，设备端无需操作。',
  ca: () => '证书机构暂时无法签发证书，系统会自动重试，设备端无需操作。',
  expired: () => '证书已过期，浏览器会拒绝连接该设备。请启动设备，并检查其时钟以及能否连接服务器。',
}
