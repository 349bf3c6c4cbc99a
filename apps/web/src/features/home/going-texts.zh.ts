import type { Texts } from './going-texts.en.ts'

export const texts: Texts = {
  tooLarge: '未登录时文件最大 100 MiB。登录后可上传更大的文件。',
  empty: '文件为空，文件大小必须大于 0。',
  cancelled: '上传已取消，未存储任何内容。',
  another: '选择其他文件',
  done: '文件已上传到网络',
  toResult: '查看链接',
  progressOf: (name: string) => `${name} 的进度`,
  otherNode: '上传中断，正在其他节点重试',
  state: {
    waiting: '等待中',
    hashing: '读取并计算哈希',
    packing: '正在打包',
    uploading: '正在上传',
    retrying: '上传中断，正在重试',
    finishing: '即将完成',
  },
}
