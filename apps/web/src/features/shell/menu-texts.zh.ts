import type { Texts } from './menu-texts.en.ts'

export const texts: Texts = {
  introduction: '一页看懂这个网络',
  network: '节点、副本与传输的实时状态',
  desktopTitle: '节点与命令行',
  desktop: '出租一台机器，或在终端里使用网络',
  extension: '用浏览器参与网络',
  storage: '文件与文件夹，逐块校验',
  containers: '按小时租用，链上付款',
  pcdn: '由访客附近的节点分发',
  aiData: '经由出租 IP 采集公开网页',
  aiProxy: '为智能体提供稳定出口',
  servicesTitle: '全部服务',
  services: '能租到什么，各自处于什么状态',
  basicsTitle: '基础知识',
  basics: '存储、校验与修复的原理',
  newsTitle: '动态',
  news: '做了什么，学到了什么',
  casesTitle: '案例',
  cases: '可以照着做的完整示例',
  ecology: '与之配合的程序与协议',
  about: '我们为谁而做，怎样工作',
}
