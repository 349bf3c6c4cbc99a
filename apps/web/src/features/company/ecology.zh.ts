import type { EcologyWords } from './ecology-facts.ts'

export const texts: EcologyWords = {
  age: {
    use: '上传前加密的文件，离开我们也能打开。',
    how: '原样下载所存文件，用当初的口令或密钥解密。',
    tested: '测试用另一套独立的 age 实现打开加密的下载。',
  },
  unixfs: {
    use: '文件的名字可以由不是我们写的程序算出。',
    how: '采用默认的 262,144 字节分块与原始叶子时，ipfs 打印的 CID 就是文件列表里的 CID。',
    tested: '测试向量把文件、文件夹与分片目录和参考实现逐一比较。',
  },
  tar: {
    use: '文件夹以任何系统都能打开的单个归档下载。',
    how: '长文件名、大文件与时间戳都会保留；数据流可直接接管道，不必先攒齐。',
    tested: '测试解开嵌套文件夹的归档并逐字节比较。',
  },
  gateway: {
    use: '节点可应答 IPFS 客户端对原始块、CAR、范围与 tar 的请求。',
    how: '地址、令牌与 CID 来自下载请求；format、dag-scope 与 entity-bytes 按规范工作。',
    tested: '规范中的一致性用例在测试里对真实节点运行。',
  },
  tus: {
    use: '任何 tus 客户端都能向节点上传，并在中断后继续。',
    how: '先向接口询问上传地址，再把节点地址与令牌交给客户端。',
    tested: '创建、偏移、续传与终止都有测试，包括节点重启之后。',
  },
  openapi: {
    use: '为我们没有 SDK 的语言生成客户端。',
    how: '描述文件由服务器运行的同一份契约打印，阅读页面附有示例。',
    tested: '描述与契约不一致时，构建即告失败。',
  },
  curl: {
    use: '不装任何东西也能下载或续传。',
    how: '下载地址是支持范围请求的普通 HTTP。这样取得的内容由您自己对照 CID 核对。',
    tested: '下载基准用 curl 取文件；范围请求的应答逐字节测试。',
  },
  nginx: {
    use: '我们的节点与之对比速度。',
    how: '基准在同一台机器上让 nginx 与节点提供同一文件，并打印比值。',
    tested: 'npm run bench download，最近一次结果写在 docs/PERFORMANCE.md。',
  },
  node: {
    use: 'SDK 在程序与浏览器中以同样的调用运行。',
    how: '需要 Node.js 20.19 以上。路径、流与 Blob 都可作为来源与去处。',
    tested: 'SDK 的每个示例都在测试中于 Node.js 与 Chromium 各运行一遍。',
  },
  postgresql: {
    use: '可以使用自己的数据库。',
    how: 'PostgreSQL 15 及以上均可；没有时会启动内嵌的一份。',
    tested: '网络测试先用内嵌的 PostgreSQL 运行，再用 Debian 的运行一遍。',
  },
  debian: {
    use: '一台装有 Node.js 的新机器就够了。',
    how: '一条命令完成安装、构建与启动；不需要容器引擎，也不需要编译器。',
    tested: '持续集成在 Debian 12 上正是这样做的。',
  },
}
