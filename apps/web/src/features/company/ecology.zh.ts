import type { EcologyWords } from './ecology-facts.ts'

export const texts: EcologyWords = {
  age: {
    use: '上传前加密的文件，不用我们的软件也能解密。',
    how: '下载所存文件，用您的口令或密钥解密。',
    tested: '测试用独立的 age 实现解密下载的文件。',
  },
  unixfs: {
    use: '其他程序能算出同样的内容标识。',
    how: '采用默认的 262,144 字节分块与原始叶块时，ipfs 打印的 CID 就是文件列表里的 CID。',
    tested: '测试向量把文件、文件夹与分片目录和参考实现逐一比较。',
  },
  tar: {
    use: '文件夹以任何系统都能打开的单个归档下载。',
    how: '支持长文件名、大文件与时间戳，下载的数据流可直接接管道。',
    tested: '测试解开嵌套文件夹的归档并逐字节比较。',
  },
  gateway: {
    use: '节点向 IPFS 客户端提供原始块、CAR、字节范围与 tar。',
    how: '地址、令牌与 CID 来自下载请求；format、dag-scope 与 entity-bytes 按规范工作。',
    tested: '规范中的一致性用例在测试里对真实节点运行。',
  },
  tus: {
    use: '任何 tus 客户端都能向节点上传，并在中断后继续。',
    how: '先向 API 请求节点，再把节点地址与令牌交给客户端。',
    tested: '创建、偏移、续传与终止都有测试，包括节点重启之后。',
  },
  openapi: {
    use: '为没有 SDK 的语言生成客户端。',
    how: '文档由服务器运行所用的契约生成，API 文档页面附有示例。',
    tested: '文档与契约不一致时，构建会失败。',
  },
  curl: {
    use: '无需安装任何软件即可下载或续传。',
    how: '下载地址是支持范围请求的普通 HTTP。这样下载的内容请自行按 CID 校验。',
    tested: '下载基准测试使用 curl；范围请求的响应逐字节测试。',
  },
  nginx: {
    use: '节点速度的对照基准。',
    how: '基准测试在同一台机器上让 nginx 与节点提供同一文件，并打印比值。',
    tested: 'npm run bench download，最近一次结果见 docs/PERFORMANCE.md。',
  },
  node: {
    use: 'SDK 在程序与浏览器中的接口相同。',
    how: '需要 Node.js 20.19 或更高版本。可读写路径、流与 Blob。',
    tested: 'SDK 的每个示例都在测试中于 Node.js 与 Chromium 各运行一遍。',
  },
  postgresql: {
    use: '可以使用自己的数据库。',
    how: 'PostgreSQL 15 或更高版本；没有时会启动内嵌的 PostgreSQL。',
    tested: '网络测试分别在内嵌的 PostgreSQL 和 Debian 的 PostgreSQL 上运行。',
  },
  debian: {
    use: '一台装有 Node.js 的新机器就够了。',
    how: '一条命令完成安装、构建与启动；不需要容器引擎，也不需要编译器。',
    tested: '持续集成在 Debian 12 上执行这一过程。',
  },
}
