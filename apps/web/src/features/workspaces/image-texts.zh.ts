import type { Texts } from './image-texts.en.ts'

export const texts: Texts = {
  title: '选择镜像',
  accepted:
    '支持：由 docker save 或 podman save 生成、或包含 OCI 布局的 tar 文件（.tar、.tar.gz、.tgz），以及包含 OCI 布局的文件夹（oci-layout、index.json、blobs）。镜像层不能使用 zstd 压缩。',
  choose: '使用该镜像',
  nothing: '请选择 tar 文件，或包含镜像的文件夹。',
  root: '请选择文件夹。根目录中的镜像无法使用，请先移入文件夹。',
  images: (folder) => `${folder} 中的镜像`,
  layout: '该文件夹是镜像（OCI 布局）',
  none: '该文件夹中没有镜像。',
  encrypted: '已加密，无法使用',
  noTar: '不是 tar 文件',
  more: '显示更多文件',
  failed: '无法加载列表。',
  image: '镜像',
  unchosen: '未选择镜像',
  stays: '不重新选择则继续使用当前镜像。',
  pick: '从您的存储中选择',
  another: '重新选择',
  keyHint: (account) =>
    `来自当前浏览器中已登录的账号 ${account} 的存储。系统会临时创建仅限该文件夹的密钥，用后立即删除。`,
  keyOwn:
    '控制台无权直接读取您的存储。请在当前浏览器中以个人身份（而非团队）登录本站以选择镜像，或输入仅限一个文件夹的 API 密钥。',
  where: '镜像来源',
  registry: '镜像仓库',
  storage: '您的存储',
}
