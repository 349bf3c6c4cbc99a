import type { Texts } from './upload-texts.en.ts'

export const texts: Texts = {
  title: (folder) => `上传文件到“${folder}”`,
  text: '您可以上传文件到该文件夹，但无法查看其中的内容。',
  left: (files, size) => `还可上传 ${files} 个文件，共 ${size}。`,
  full: '该链接已达到接收上限。',
  choose: '选择文件',
  drop: '或将文件拖放到此处',
  files: '您的文件',
  retry: (name) => `重试 ${name}`,
  remove: (name) => `移除 ${name}`,
  sent: (name) => `${name} 已上传`,
  progress: (name) => `${name} 的进度`,
  waiting: '等待中',
  offline: '上传中断，恢复连接后会自动继续。',
  unfinished: (count) => `有 ${count} 个文件未上传完`,
  unfinishedText: '重新选择相同的文件即可继续上传。',
  unfinishedForget: '忽略',
  done: (count) => `已上传 ${count} 个文件，可以关闭此页面。`,
  privacy: '文件未加密，文件夹的所有者和存储文件的节点都能读取。',
}
