import type { Texts } from './services-texts.en.ts'

export const texts: Texts = {
  eyebrow: 'Tidenet 网络服务',
  title: '运行在出租设备上的\u200b存储、容器与内容分发',
  intro: '一个账号，即可使用网络的各项服务。每项服务都显示实时状态；暂时无法下单的服务，请告诉我们您的需求。',
  signUp: '免费注册',
  signIn: '登录',
  console: '进入控制台',
  plan: '免费：100 MiB 存储空间，每月 1 GiB 下载流量。',
  list: '可租用的服务',
  open: '了解详情',
  ask: '提交需求',
  services: [
    {
      to: '/tss',
      name: 'storage',
      title: '云存储',
      text: '文件与文件夹逐块校验，提供分享链接、API 密钥和 SDK。',
    },
    { to: '/tc2', name: 'containers', title: '容器', text: '按小时租用 CPU、内存和磁盘，可选分布式集群或中心化集群。' },
    { to: '/pcdn', name: 'pcdn', title: 'PCDN 与 CDN', text: '由靠近访问者的节点分发内容。' },
    {
      to: '/aidata',
      name: 'aiData',
      title: 'AI 数据与代理',
      text: '通过出租的 IP 采集公开网页，并按国家提供稳定 IP。',
    },
  ],
  runs: (nodes, countries, space) =>
    `目前有 ${nodes} 个在线节点，分布在 ${countries} 个国家和地区，共 ${space} 存储空间（实时统计）。`,
  runsOn: '运行在用户出租的设备上。',
  see: '查看网络',
}
