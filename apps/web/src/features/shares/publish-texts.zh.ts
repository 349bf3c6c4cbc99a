import type { Texts } from './publish-texts.en.ts'

export const texts: Texts = {
  publish: {
    title: (name) => `将“${name}”公开发布到 IPFS`,
    published: (name) => `“${name}”已公开发布到 IPFS`,
    what: '公开发布意味着：',
    points: [
      '发布期间，任何人都可凭 CID 读取，且不能设置提取码。',
      '他人读取的流量计入您账号的下载流量。',
      '取消发布后，我们的网关会在数秒内停止提供；其他地方的缓存和副本可能一直存在。',
      '删除或替换文件后，发布随之结束。',
    ],
    folderPoints: [
      '发布期间，任何人都可凭 CID 读取其中的文件，且不能设置提取码。',
      '他人读取的流量计入您账号的下载流量。',
      '发布的是当前内容。之后新增或修改的文件需重新发布，重新发布后 CID 会改变。',
      '删除或替换的文件不再提供。',
      '取消发布后，我们的网关会在数秒内停止提供；其他地方的缓存和副本可能一直存在。',
    ],
    again: '重新发布',
    ended: (ended, files) =>
      `${files} 个文件中有 ${ended} 个已被删除或替换，不再提供。重新发布文件夹即可移除这些文件。`,
    go: '公开发布',
    address: '访问地址',
    copyAddress: '复制访问地址',
    ipfs: 'IPFS 地址',
    copyIpfs: '复制 IPFS 地址',
    open: '打开',
    stop: '取消发布',
    stopped: '已取消发布',
    since: (date) => `发布于 ${date}`,
    preparing: '正在准备，网关即将可以访问。',
    tooManyBlocks: '与账号已公开发布的内容合计后超出上限。请先取消发布其他内容，再重新发布。',
    unreadable: '该内容的分块方式不受网关支持。请上传原文件后再发布。',
    failed: '无法加载发布状态。',
    all: '全部公开发布的内容',
  },
  list: {
    title: '已公开发布到 IPFS',
    intro: '任何人都可凭 CID 读取以下文件和文件夹。',
    states: { preparing: '准备中', ready: '已发布', failed: '失败' },
    stop: (name) => `取消发布 ${name}`,
    copy: (name) => `复制 ${name} 的访问地址`,
  },
}
