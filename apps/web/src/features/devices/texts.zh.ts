import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  intro: '您出租给网络的设备：查看状态与用量，离线时会收到邮件。',
  link: '关联设备',
  failed: '设备加载失败。',

  empty: {
    title: '还没有关联任何设备',
    text: '节点无需账号也能运行。关联到您的账号后，可在这里查看，不必时时留意。',
    gives: [
      '查看状态与存储用量，不必在网络浏览器中逐个查找',
      '设备离线时收到邮件，恢复后再收到一封',
      '数量不限，家中或机房的设备均可',
    ],
    steps: '三个步骤',
    step: [
      ['生成关联码', '关联码说明设备属于谁，24 小时内有效。'],
      ['用它启动节点', '新节点或正在运行的节点均可，命令会与关联码一同给出。'],
      ['在这里查看', '节点启动后几秒内自动出现。'],
    ],
    program: '节点是什么，需要什么',
  },

  figures: {
    title: '全部设备概况',
    all: '设备',
    online: '在线',
    offline: '离线',
    abnormal: '异常',
    room: '已用空间',
    of: (used, all) => `${used} / ${all}`,
  },

  code: {
    title: '用此关联码启动节点',
    copy: '复制关联码',
    until: (when) => `有效期至 ${when}，仅显示这一次。`,
    rules: '可用于任意数量的节点，每个节点只需用一次，网络会记住它属于谁。生成新码后此码失效，已关联的设备不受影响。',
    tabs: { edge: 'Linux、macOS', powershell: 'Windows（PowerShell）', running: '正在运行的节点' },
    own: '请换成您自己的区域、位置、容量和名称。',
    unpacked: '本门户尚未打包节点程序。',
    program: '节点程序与其他启动方式',
    running: '停止节点，再用原来的命令启动，并在末尾加上：',
    variable: '若节点由系统服务启动，也可为其设置环境变量：',
    copyOption: '复制选项',
    copyVariable: '复制变量',
    keep: '请保留原来的数据文件夹：节点身份与历史不变。',
    waiting: '正在等待节点，启动后会自动出现在这里。',
    linked: (names) =>
      names.length === 1 ? `已关联：${names[0]}` : `已关联 ${names.length} 台设备：${names.join('、')}`,
    done: '收起关联码',
  },

  list: {
    title: '设备列表',
    kinds: ['边缘节点（L2）', '候选节点（L1）', '验证节点（L1）'],
    states: { online: '在线', offline: '离线', abnormal: '异常' },
    version: (version) => `版本 ${version}`,
    heard: (ago) => `最近联系：${ago}`,
    never: '尚未联系',
    offlineSince: (when, ago) => `始于 ${when}（${ago}）`,
    justNow: '刚刚',
    reachable: '可从外部访问',
    unreachable: '无法从外部访问',
    room: (used, all) => `${used} / ${all}`,
    roomLabel: '已用空间',
    mail: '邮件提醒',
    mailLong: '离线时邮件提醒',
    mailOf: (name) => `${name} 离线时邮件提醒`,
    actions: (name) => `${name} 的更多操作`,
    details: '在网络浏览器中查看',
    copyId: '复制节点 ID',
    unlink: '解除关联',
  },

  notes: {
    title: '说明',
    mails: (offline, mail) =>
      `设备静默 ${offline}即视为离线；若仍无消息，自最后一次联系起 ${mail}后发出邮件。在此之前恢复的，不会打扰您。恢复在线后会再发一封；多台设备同时变化，合并为一封。`,
    noEmail: '邮件提醒需要邮箱，而此账号不使用邮箱登录。离线的设备仍会显示在这里。',
    account: '前往我的账号',
    unreachable:
      '无法从外部访问的设备不能向任何人提供副本，因此只有在没有其他设备可用时才会分到副本。在路由器上转发端口，并用 --public-url 指明地址，即可服务访问者和其他节点。',
    abnormal:
      '最近十次抽查中有两次未通过，即未能出示应持有的数据块，设备便显示为异常；连续通过两次后恢复正常。时钟相差数分钟也会显示为异常。',
  },

  unlinking: {
    title: (name) => `解除关联 ${name}？`,
    what: [
      '节点继续运行，不再属于任何账号，所存内容不变。',
      '您不再收到与它有关的邮件。',
      '您的关联码随即失效，否则节点下次启动时会再次关联。其他设备不受影响。',
    ],
    confirm: '解除关联',
    done: (name) => `${name} 已解除关联`,
  },
}
