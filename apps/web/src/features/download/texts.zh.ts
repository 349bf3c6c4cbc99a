import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  eyebrow: '测试网 3 与测试网 4',
  title: '安装到您的设备',
  intro:
    '命令行用于传输文件，存储节点用于出租设备的闲置空间。两个程序各为一个下载文件，在能运行 Node.js 20.19 的系统上即可使用，无需其他依赖。',
  toSingle: '下载到本设备',
  toCli: '命令行',
  toNode: '存储节点',
  note: (version: string) => `版本 ${version}，附校验和。下载无需账号。`,
  drawing: '一台设备划出部分磁盘，接收网络中数据块的副本。',

  listTitle: '各设备可用的程序',
  listIntro: '一个门户属于一个网络。同样的程序既可加入本门户所属的测试网 4，也可加入之前的测试网 3，由门户地址决定。',
  networks: { 3: '测试网 3', 4: '测试网 4' },
  states: {
    available: '可用',
    unpacked: '本站未提供',
    noAddress: '地址未知',
    checking: '检测中',
    later: '即将推出',
  },
  devices: {
    cli: {
      title: '命令行',
      systems: 'Linux、macOS、Windows',
      text: '上传、列出、下载、分享、管理密钥、启动节点。每次构建均在 Linux 上测试。',
    },
    node: {
      title: '存储节点',
      systems: 'Linux、macOS、Windows',
      text: '边缘、候选和验证节点合为一个程序。每次构建均在 Linux 上测试。',
    },
    windows: {
      title: 'Windows',
      systems: '单个文件，x64',
      text: '存储节点的单文件版。执行 tidenet-node install 后由 Windows 自动启动。',
    },
    mac: {
      title: 'Mac',
      systems: '单个文件，Intel；Apple 芯片需 Rosetta',
      text: '存储节点的单文件版，尚未经过我们的测试；也可在终端中用 Node.js 运行。',
    },
    android: {
      title: 'Android',
      systems: '门户应用、Termux',
      text: '将门户安装为应用即可查看您的设备；节点本身可在 Termux 中运行。',
    },
    ios: {
      title: 'iOS',
      systems: '应用',
      text: '应用即将推出。目前可在 Safari 中使用门户：上传、预览、分享。',
    },
  },
  testnet3: '测试网 3',
  testnet3At: '其门户地址如下，请用它替换下方命令中的本站地址：',
  testnet3Text: '本站没有测试网 3 的地址。请向其运营者索取，并替换下方命令中的本站地址。',

  single: {
    title: '单个文件，无需安装其他软件',
    intro: '下载适用于您系统的文件，直接启动即可，所需内容均已包含在内。',
    system: '系统',
    platforms: {
      'linux-x64': 'Linux（x64）',
      'linux-arm64': 'Linux（ARM64）',
      'windows-x64': 'Windows（x64）',
      'macos-x64': 'macOS',
    },
    choose: '请选择将要运行程序的设备系统。',
    download: (system, size) => `下载 ${system} 版，${size}`,
    untested: '该文件未在此版本的测试中运行过。如果无法启动，请使用下方基于 Node.js 的程序。',
    terminal: '在终端中',
    none: '本门户未提供单文件程序，请使用下方基于 Node.js 的程序。',
    android: '本设备运行 Android，相关程序见下方；此处的文件适用于其他设备。',
    ios: '本设备无法运行这些程序，请选择其他设备的系统。',
    toAndroid: '前往 Android',
  },

  android: {
    title: 'Android',
    intro: '将门户安装为应用来查看您的设备，也可出租长期插电的手机或电视盒子。',
    watch: '门户应用',
    watchText: '打开即可查看您的设备：存储量、收益以及是否在线。',
    install: '安装应用',
    installed: '应用已安装。',
    steps: [
      '在 Android 设备上用 Chrome 打开本门户。',
      '打开右上角三点菜单，选择“添加到主屏幕”，然后选择“安装”。',
      '从主屏幕启动 Tidenet，登录一次即可。',
    ],
    termux: '在 Termux 中运行存储节点',
    termuxText:
      '从 F-Droid 安装 Termux，然后输入以下命令。请允许其在后台运行，并关闭电池优化。我们的测试不包括 Android。',
  },

  cliTitle: '命令行',
  cliIntro: '登录一次，之后一条命令即可传输文件。中断的传输会从断点继续。',
  nodeTitle: '存储节点',
  nodeIntro:
    '边缘节点无需许可：启动后几秒内即出现在地图上。候选节点保存首批副本，验证节点抽查其他节点，因此两者都需要邀请。',
  install: { npm: '用 npm 安装', unpack: '免安装', powershell: 'Windows（PowerShell）' },
  nodeWays: {
    edge: '边缘节点',
    invited: '候选或验证节点',
    powershell: 'Windows（PowerShell）',
    reachable: '有公网地址',
  },
  file: '文件',
  version: '版本',
  size: '大小',
  packed: '打包时间',
  needs: '需要',
  needsNode: (version: string) => `${version} 或更高版本`,
  checksum: 'SHA-256',
  copyChecksum: '复制校验和',
  check: '校验文件',
  download: (file: string) => `下载 ${file}`,
  notes: '本版本内容',
  noneTitle: '本门户尚未打包程序',
  noneText: '运营者可用 node tools/pack-downloads.mjs 打包。在此之前，可从代码库运行。',
  failed: '程序列表加载失败',

  kindsTitle: '三种节点',
  kinds: [
    {
      name: '边缘节点（L2）',
      who: '任何人',
      text: '保存副本并提供给用户。任何长期在线、有几 GiB 闲置空间的设备均可。',
      needs: ['2 核', '2 GB 内存', '10 GiB 存储'],
    },
    {
      name: '候选节点（L1）',
      who: '需要邀请',
      text: '接收上传并保存首批副本，须能通过 https 地址从外部访问。',
      needs: ['4 核', '8 GB 内存', '500 GiB 存储'],
    },
    {
      name: '验证节点（L1）',
      who: '需要邀请',
      text: '保存副本，并抽查其他节点：核对对方声称持有的内容中的随机数据块。',
      needs: ['16 核及以上', '16 GB 内存及以上', '2 TB 存储及以上'],
    },
  ],
  minimum: '最低要求',
  suggested: '建议配置',
  askToken: '申请加入令牌',

  stepsTitle: '出租一台设备',
  steps: [
    { title: '选择长期在线的设备', text: '错过三次心跳的节点视为离线，其副本会在别处重建。有线网络优于无线网络。' },
    { title: '决定可用空间', text: '容量是节点占用空间的上限。磁盘写满之前，节点会停止接收内容。' },
    {
      title: '无需改动路由器',
      text: '位于路由器之后的节点通过网络的中继对外服务，中继只能看到密文。如果路由器可按请求开放端口（UPnP），或设备有公网地址，则不经过中继。无需任何设置。',
    },
    {
      title: '启动并保持运行',
      text: '新的边缘节点在通过考察之前只会分到少量副本，考察至少需要三天。节点身份由数据文件夹中的 node.key 确定。请妥善保存：更换密钥后将成为没有历史记录的新节点。',
    },
    { title: '在网络浏览器中查看', text: '节点启动后，在线率、副本、抽查结果和实测速度即公开可见。' },
  ],
  earnings:
    '已关联账号的设备按签收的流量和付费的存储获得积分。在本测试网，积分可兑换测试币 TTNT，它在网络之外没有价值。',
  toEarn: '查看设备收益',
  toExplorer: '打开网络浏览器',
  yours: '这台设备是您的吗？关联到您的账号，即可查看状态，并在它离线时收到邮件。',

  extensionTitle: '浏览器扩展',
  extensionText: '在工具栏中一键查看您的设备及其收益。',
  extensionKey: '扩展使用一个 API 密钥，仅可读取您的设备及其收益；扩展只连接本门户。',
  extensionReady: '扩展已上架您浏览器的商店。',
  extensionNone: '本门户尚未提供扩展。运营者可用 npm run extension 打包。',
  extensionChromium: 'Chrome、Edge 等 Chromium 浏览器',
  extensionChromiumSteps: [
    '下载文件并解压到一个固定的文件夹。',
    '打开 chrome://extensions，开启开发者模式。',
    '选择“加载已解压的扩展程序”，然后选择该文件夹。',
  ],
  extensionFirefox: 'Firefox',
  extensionFirefoxSteps: [
    '下载文件。',
    '打开 about:debugging#/runtime/this-firefox。',
    '选择“临时载入附加组件”，然后选择该文件。由于未经商店签名，关闭 Firefox 后需重新载入。',
  ],
  extensionDownload: (size) => `下载扩展，${size}`,
  toKeys: '创建密钥',
  toStore: '打开商店',
}
