import type { Texts } from './kind-texts.en.ts'

export const texts: Texts = {
  image: '图片',
  video: '视频',
  audio: '音频',
  pdf: 'PDF 文档',
  text: '文本',
  table: '表格',
  markdown: 'Markdown 文本',
  archive: '压缩包',
  folder: '上传的文件夹',
  file: '文件',
}
