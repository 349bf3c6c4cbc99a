import type { Lang } from '@tidenet/contract'

/**
 * Why a program could not be started, for its owner. Notes are stored as a JSON array of their key and details, and shown in the language of
 * the reader; what engines say themselves is stored as it is.
 */

type Text = (...details: string[]) => Record<Lang, string>
const fixed =
  (en: string, cn: string): Text =>
  () => ({ en, cn })

const NOTES = {
  // Entries of image layers.
  filesMany: fixed('The image contains too many files.', '镜像包含的文件过多。'),
  path: (path) => ({ en: `The image contains an invalid path: ${path}.`, cn: `镜像包含无效路径：${path}。` }),
  throughLink: (path) => ({
    en: `The image writes through a symbolic link: ${path}.`,
    cn: `镜像经由符号链接写入：${path}。`,
  }),
  linksMany: fixed('The image contains too many links.', '镜像包含的链接过多。'),
  device: (path) => ({ en: `The image contains a device: ${path}.`, cn: `镜像包含设备文件：${path}。` }),
  entryKind: (path) => ({
    en: `The image contains an entry of an unknown kind: ${path}.`,
    cn: `镜像包含类型未知的条目：${path}。`,
  }),
  whiteout: (path) => ({
    en: `The image contains an invalid whiteout: ${path}.`,
    cn: `镜像包含无效的删除标记（whiteout）：${path}。`,
  }),
  // Images.
  platform: (image, cluster) => ({
    en: `The image is for ${image}, but this cluster is ${cluster}.`,
    cn: `镜像适用于 ${image}，而该集群是 ${cluster}。`,
  }),
  volumes: (most) => ({
    en: `The image declares more than ${most} volumes.`,
    cn: `镜像声明了超过 ${most} 个卷。`,
  }),
  layers: fixed('The image does not have the layers that it lists.', '镜像的层与其清单不符。'),
  imageLarge: (mib) => ({
    en: `The image is larger than ${mib} MiB when unpacked.`,
    cn: `镜像解压后超过 ${mib} MiB。`,
  }),
  layerHash: fixed(
    'A layer of the image does not have the hash that the image lists.',
    '镜像某一层的哈希与其清单不符。',
  ),
  // Image archives.
  fileTwice: fixed('The archive contains a file twice.', '归档中有重复的文件。'),
  archiveFiles: fixed('The archive contains too many files.', '归档包含的文件过多。'),
  noImage: fixed(
    'The file is no image archive: it has neither manifest.json nor index.json.',
    '该文件不是镜像归档：其中既没有 manifest.json，也没有 index.json。',
  ),
  oneImage: (platform) => ({
    en: `The archive must contain exactly one image for ${platform}.`,
    cn: `归档必须恰好包含一个适用于 ${platform} 的镜像。`,
  }),
  indexes: fixed('The archive has too many indexes.', '归档中的索引层级过多。'),
  fileSize: (name) => ({
    en: `The file ${name} does not have the size that the image lists.`,
    cn: `文件 ${name} 的大小与镜像清单不符。`,
  }),
  documentHash: fixed('A document of the archive does not have its hash.', '归档中某个文档的哈希不符。'),
  fileMissing: (name) => ({ en: `The archive lacks the file ${name}.`, cn: `归档缺少文件 ${name}。` }),
  documentLarge: (name) => ({ en: `The file ${name} is too large.`, cn: `文件 ${name} 过大。` }),
  document: fixed('A document of the archive is invalid.', '归档中某个文档无效。'),
  zstd: fixed(
    'The layers are compressed with zstd. Save the image with gzip or without compression.',
    '镜像层使用 zstd 压缩。请以 gzip 压缩或不压缩的方式保存镜像。',
  ),
  damaged: fixed('The compressed archive is damaged.', '压缩归档已损坏。'),
  archiveLarge: (mib) => ({
    en: `The archive is larger than ${mib} MiB when unpacked.`,
    cn: `归档解压后超过 ${mib} MiB。`,
  }),
  // Tar files.
  noEnd: fixed('The archive has no end.', '归档没有结尾标记。'),
  cutOff: fixed('The archive is cut off.', '归档不完整。'),
  nameLong: fixed('A name in the archive is too long.', '归档中有过长的名称。'),
  folderContent: fixed('The archive contains a folder with a content.', '归档中有带内容的文件夹。'),
  entryTwice: fixed('The archive names an entry twice.', '归档中某个条目有重复的名称。'),
  noTar: fixed('The file is not a tar archive.', '该文件不是 tar 归档。'),
  oldFormat: fixed('The archive has an old format.', '归档使用了旧格式。'),
  size: fixed('A size in the archive is invalid.', '归档中有无效的大小。'),
  pax: fixed('The archive has an invalid pax header.', '归档有无效的 pax 头。'),
  sparse: fixed('The archive contains sparse files, which are not supported.', '归档包含不支持的稀疏文件。'),
  // Where images come from.
  imageOverDisk: fixed('The image is larger than the disk.', '镜像大于磁盘。'),
  downloadQuota: fixed('The download quota of the account is used up.', '账号的下载额度已用完。'),
  fileGone: fixed('The file is no longer in the storage of the account.', '该文件已不在账号的存储中。'),
  folderChanged: fixed(
    'The files of the image folder were changed or deleted. Choose the folder again.',
    '镜像文件夹中的文件已修改或删除，请重新选择该文件夹。',
  ),
  engine: (reason) => ({ en: `The engine refuses the image. ${reason}`.trim(), cn: `引擎拒绝了该镜像。${reason}` }),
  // Files of a program.
  silent: fixed('The program does not send its files.', '应用没有发送其文件。'),
  programFiles: fixed('The files of the program are too large.', '应用的文件过大。'),
  source: (reason) => ({ en: reason, cn: reason }),
} satisfies Record<string, Text>

export type NoteKey = keyof typeof NOTES

export const noteOf = (key: NoteKey, ...details: readonly string[]): string => JSON.stringify([key, ...details])

/** @returns a note in a language; what is no note is returned unchanged */
export function noteText(note: string, lang: Lang): string {
  if (!note.startsWith('["')) return note
  try {
    const [key = '', ...details] = (JSON.parse(note) as unknown[]).map(String)
    return Object.hasOwn(NOTES, key) ? NOTES[key as NoteKey](...(details as [string, string]))[lang] : note
  } catch {
    return note
  }
}
