import { certificateTextsZh } from '@tidenet/contract/node-certificate-texts'
import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  intro: '您出租的设备：状态、收益，以及出现问题时的邮件通知。',
  link: '关联设备',
  failed: '设备加载失败。',

  empty: {
    title: '还没有关联任何设备',
    text: '节点无需账号也能运行，但没有收益。将它关联到您的账号，即可获得积分、在这里查看并接收通知。',
    gives: [
      '查看状态与存储用量，不必在网络浏览器中逐个查找',
      '逐小时查看收益，并可用凭证核对金额',
      '设备离线时收到邮件，恢复后再收到一封',
      '数量不限，家中或机房的设备均可',
    ],
    steps: '三个步骤',
    step: [
      ['生成关联码', '关联码将设备关联到您的账号，24 小时内有效。'],
      ['用关联码启动节点', '新节点或正在运行的节点均可，命令与关联码一同显示。'],
      ['在这里查看', '节点启动后几秒内自动出现。'],
    ],
    program: '节点是什么，需要什么配置',
  },

  figures: {
    title: '全部设备概况',
    all: '设备',
    online: '在线',
    offline: '离线',
    abnormal: '异常',
    storage: '已用空间',
    of: (used, all) => `${used} / ${all}`,
  },

  code: {
    title: '用此关联码启动节点',
    copy: '复制关联码',
    until: (when) => `有效期至 ${when}，仅显示这一次。`,
    rules: '可用于任意数量的节点，每个节点使用一次。生成新的关联码后，此码失效；已关联的设备不受影响。',
    tabs: { edge: 'Linux、macOS', powershell: 'Windows（PowerShell）', running: '正在运行的节点' },
    unpacked: '本门户暂不提供节点程序。',
    program: '节点程序与其他启动方式',
    running: '停止节点，再用原来的命令启动，并加上此选项：',
    variable: '若节点由系统服务启动，请为其设置此环境变量：',
    copyOption: '复制选项',
    copyVariable: '复制变量',
    keep: '请保留数据文件夹：节点的身份与历史不变。',
    waiting: '正在等待节点，启动后会自动出现在这里。',
    linked: (names) =>
      names.length === 1 ? `已关联：${names[0]}` : `已关联 ${names.length} 台设备：${names.join('、')}`,
    done: '收起关联码',
  },

  list: {
    declared: (area) => `（自报：${area}）`,
    title: '设备列表',
    kinds: ['边缘节点（L2）', '候选节点（L1）', '验证节点（L1）'],
    states: { online: '在线', offline: '离线', abnormal: '异常' },
    version: (version) => `版本 ${version}`,
    heard: (ago) => `最近在线：${ago}`,
    never: '尚未上线',
    offlineSince: (when, ago) => `始于 ${when}（${ago}）`,
    justNow: '刚刚',
    reachable: '可从外部访问',
    unreachable: '无法从外部访问',
    vetting: (audits, auditsOf, time, timeOf) => `考察中：已通过 ${audits}/${auditsOf} 次抽查，已满 ${time}/${timeOf}`,
    updatesItself: '将自动更新',
    notUpdated: (version, why) => `未能更新到 ${version}：${why}`,
    updateProblems: {
      download: '无法下载新版本',
      space: '磁盘空间不足',
      folder: '程序所在目录不可写，请重新安装节点',
      'not-ready': '新版本未能在该设备上就绪',
    },
    leaving: (remaining) => `正在退出：还有 ${remaining.toLocaleString('en')} 个内容待迁往其他节点，请保持设备运行`,
    left: '已退出网络，可以关机',
    leftOff: '已退出网络',
    draining: '迁出中：未通过抽查，副本正迁往其他节点',
    certificate: certificateTextsZh,
    passedOn: (signed, paid) => `30 天内为其他设备中继 ${signed}，其中付费下载 ${paid}`,
    cloned:
      '有两个程序使用该设备的密钥。如果数据文件夹被复制过，请停止副本并删除其中的 node.key。如果密钥被盗，请停止设备，删除 node.key，再作为新设备启动。',
    storage: (used, all) => `${used} / ${all}`,
    roomLabel: '已用空间',
    mail: '邮件通知',
    mailLong: '出现问题时发送邮件',
    mailOf: (name) => `${name} 出现问题时发送邮件`,
    actions: (name) => `${name} 的更多操作`,
    details: '在网络浏览器中查看',
    copyId: '复制节点 ID',
    unlink: '解除关联',
  },

  notes: {
    title: '说明',
    mails: (offline, mail) =>
      `设备超过 ${offline}没有心跳即视为离线。自最后一次心跳起 ${mail}仍未恢复，我们会发送邮件；恢复在线后再发一封。多台设备的通知合并为一封邮件。设备版本过旧、运行不稳定、证书即将失效或密钥被重复使用时，也会发送邮件，每周至多一次。`,
    noEmail: '此账号没有邮箱，无法发送邮件。离线的设备仍会显示在这里。',
    account: '前往我的账号',
    unreachable:
      '无法从外部访问的设备不能提供副本，因此只有在没有其他设备可用时才会分到副本，新设备也无法通过考察。位于路由器之后的设备在启动后几分钟内即可通过网络的中继访问，无需设置。如果仍无法访问，请查看设备旁显示的问题及其日志：设备须能连接其他机器的 443 端口。没有中继的网络只能访问有公网地址（--public-url）的设备。',
    vetting:
      '新设备须先经过考察：在所示天数内、一天中的不同时段，通过所示次数的抽查。网络会不定时抽查设备是否仍保存着副本。考察期间只会分到少量副本和下载。您只需让设备保持开机、联网并可从外部访问。同一内容的抽查每小时只计一次，因此副本少的设备需要更长时间。如果设备变为异常或离线超过一天，考察将重新开始。',
    draining:
      '如果设备有超过五分之一的抽查未通过，或异常持续一小时，其副本会迁往其他节点，设备也不再分到新的副本。请检查设备的磁盘和网络连接。重新通过抽查后即可恢复使用；若已没有副本可供抽查，则需要一两天。',
    abnormal:
      '最近十次抽查中有两次未通过（即未能返回应存储的数据块）的设备会显示为异常；连续通过两次后恢复正常。时钟相差数分钟也会导致异常。',
  },

  unlinking: {
    title: (name) => `解除关联 ${name}？`,
    what: [
      '节点继续运行，但不再属于任何账号。所存内容不变。',
      '您不再收到该节点的邮件通知。',
      '它不再为您带来积分，未结算的小时也不再计入；已结算的收益仍属于您。',
      '您的关联码随即失效，以免节点下次启动时再次关联。其他设备不受影响。',
    ],
    confirm: '解除关联',
    done: (name) => `${name} 已解除关联`,
  },
}
