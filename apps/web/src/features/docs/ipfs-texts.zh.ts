import type { Texts } from './ipfs-texts.en.ts'

export const texts: Texts = {
  title: 'IPFS',
  intro: '按 CID 公开发布文件和文件夹，浏览器、curl、Kubo 和其他 IPFS 客户端可通过公共网关读取。',
  publish: '公开发布',
  publishText: '在文件或文件夹的菜单中选择“公开发布到 IPFS”，或使用命令行：',
  publishCode: '公开发布的命令',
  facts: [
    ['谁可以读取', '发布期间，任何人都可凭 CID 读取，且不能设置提取码。'],
    [
      '费用',
      '他人读取的流量计入您的下载流量。同一网络的访客每天最多使用您月度额度的四分之一；不足 10 GiB 时按 10 GiB 计。',
    ],
    [
      '文件夹',
      '按发布时的内容提供，最多 5,000 个文件。如有变更请重新发布，重新发布后 CID 会改变；删除或替换的文件不再提供。',
    ],
    ['不能发布', '加密的文件、并非由本账号实际上传或导入的文件，以及已被屏蔽的内容。'],
    ['上限', '每个账号 1,000 项，文件夹中的文件共 20,000 个，数据块共 1,000,000 个（按每块 256 KiB 计为 256 GiB）。'],
    ['结束', '取消发布后，我们的网关会在数秒内停止提供；其他地方的缓存和副本可能一直存在。'],
  ],
  read: '读取',
  gateway: '网关',
  copyGateway: '复制网关地址',
  noGateway: '本网络没有公共网关，因此无法公开发布。',
  ways: { curl: 'curl', kubo: 'Kubo' },
  wayTexts: {
    curl: '读取文件或文件夹列表、文件夹中的文件，以及可逐块校验的归档（CAR）。',
    kubo: 'Kubo 通过委托路由找到已发布的内容，经 HTTP 获取，并校验每个数据块。',
  },
  serves: '网关提供的内容',
  servesRows: [
    ['数据块', '?format=raw'],
    ['归档', '?format=car，支持 dag-scope、entity-bytes 和 car-dups'],
    ['文件和文件夹', '支持范围请求、index.html 和目录列表；网页中的脚本不会运行。'],
    ['提供者', '网关自身，地址为 /routing/v1/providers/<CID>'],
    ['不提供', 'IPNS 名称（501）、其他格式（406），以及未公开发布的内容（404）。'],
  ],
  into: '从 IPFS 导入',
  intoText:
    '在“文件”页面的“上传”菜单中选择“从其他来源导入”，或运行“tidenet import cid <CID>”。支持 Pinning Service API 的客户端可使用 API 密钥连接本门户：',
  pinning: '使用 Kubo 固定内容',
}
