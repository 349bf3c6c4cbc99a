import type { Texts } from './card-texts.en.ts'

export const texts: Texts = {
  title: '无需账号，立即体验',
  text: '单个文件最大 100 MiB，保留 24 小时。持有链接的人均可下载。',
  drop: '将文件拖到此处',
  dropNow: '松开即可上传',
  or: '或',
  choose: '选择文件',
  tooLarge: '未登录时文件最大 100 MiB。登录后可上传更大的文件。',
  empty: '文件为空，文件大小必须大于 0。',
  oneFile: '一次只能上传一个文件。上传文件夹或多个文件需要账号。',
  cancelled: '上传已取消，未存储任何内容。',
  another: '选择其他文件',
  done: '您的文件已在网络中',
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
