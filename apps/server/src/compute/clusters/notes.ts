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
    en: `The image contains a file below a symbolic link, which is not allowed: ${path}.`,
    cn: `镜像中有位于符号链接之下的文件，不允许使用：${path}。`,
  }),
  linksMany: fixed('The image contains too many links.', '镜像包含的链接过多。'),
  device: (path) => ({
    en: `The image contains a device file, which is not allowed: ${path}.`,
    cn: `镜像包含设备文件，不允许使用：${path}。`,
  }),
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
    en: `The image is for ${image}, but this cluster runs ${cluster}. Build it for ${cluster}.`,
    cn: `镜像适用于 ${image}，而该集群运行 ${cluster}。请为 ${cluster} 构建镜像。`,
  }),
  volumes: (most) => ({
    en: `The image declares more than ${most} volumes.`,
    cn: `镜像声明了超过 ${most} 个卷。`,
  }),
  layers: fixed(
    'The layers of the image do not match its manifest. Save the image again.',
    '镜像的层与其清单不符，请重新保存镜像。',
  ),
  imageLarge: (mib) => ({
    en: `The image is larger than ${mib} MiB when unpacked.`,
    cn: `镜像解压后超过 ${mib} MiB。`,
  }),
  layerHash: fixed(
    'The hash of a layer does not match the manifest of the image. Save the image again.',
    '镜像某一层的哈希与其清单不符，请重新保存镜像。',
  ),
  // Image archives.
  fileTwice: fixed('The archive contains the same file twice.', '归档中有重复的文件。'),
  archiveFiles: fixed('The archive contains too many files.', '归档包含的文件过多。'),
  noImage: fixed(
    'The file is not an image archive: it has neither manifest.json nor index.json.',
    '该文件不是镜像归档：其中既没有 manifest.json，也没有 index.json。',
  ),
  oneImage: (platform) => ({
    en: `The archive must contain exactly one image for ${platform}.`,
    cn: `归档必须恰好包含一个适用于 ${platform} 的镜像。`,
  }),
  indexes: fixed('The archive has too many indexes.', '归档中的索引层级过多。'),
  fileSize: (name) => ({
    en: `The size of the file ${name} does not match the manifest of the image.`,
    cn: `文件 ${name} 的大小与镜像清单不符。`,
  }),
  documentHash: fixed(
    'A file in the archive does not match its hash. Save the image again.',
    '归档中某个文件与其哈希不符，请重新保存镜像。',
  ),
  fileMissing: (name) => ({ en: `The file ${name} is missing in the archive.`, cn: `归档缺少文件 ${name}。` }),
  documentLarge: (name) => ({ en: `The file ${name} is too large.`, cn: `文件 ${name} 过大。` }),
  document: fixed('A JSON file in the archive is invalid.', '归档中某个 JSON 文件无效。'),
  zstd: fixed(
    'The layers are compressed with zstd. Save the image with gzip or without compression.',
    '镜像层使用 zstd 压缩。请以 gzip 压缩或不压缩的方式保存镜像。',
  ),
  damaged: fixed('The compressed archive is damaged. Upload it again.', '压缩归档已损坏，请重新上传。'),
  archiveLarge: (mib) => ({
    en: `The archive is larger than ${mib} MiB when unpacked.`,
    cn: `归档解压后超过 ${mib} MiB。`,
  }),
  // Tar files.
  noEnd: fixed(
    'The archive has no end marker: it may be incomplete. Upload it again.',
    '归档没有结尾标记，可能不完整，请重新上传。',
  ),
  cutOff: fixed('The archive is incomplete. Upload it again.', '归档不完整，请重新上传。'),
  nameLong: fixed('A name in the archive is too long.', '归档中有过长的名称。'),
  folderContent: fixed('The archive contains a folder that has content like a file.', '归档中有带文件内容的文件夹。'),
  entryTwice: fixed('An entry of the archive has two names.', '归档中某个条目有两个名称。'),
  noTar: fixed('The file is not a tar archive.', '该文件不是 tar 归档。'),
  oldFormat: fixed(
    'The archive has an old tar format, which is not supported. Save the image again.',
    '归档使用了不受支持的旧版 tar 格式，请重新保存镜像。',
  ),
  size: fixed('The archive states an invalid size.', '归档中有无效的大小。'),
  pax: fixed('The archive has an invalid pax header.', '归档中有无效的 pax 头。'),
  sparse: fixed('The archive contains sparse files, which are not supported.', '归档包含稀疏文件，不受支持。'),
  // Where images come from.
  imageOverDisk: fixed(
    'The image is larger than the disk of the program, or larger than 8 GiB.',
    '镜像大于应用的磁盘，或超过 8 GiB。',
  ),
  downloadQuota: fixed('The download traffic of the account is used up for this month.', '账号本月的下载流量已用完。'),
  fileGone: fixed(
    'The file is no longer in the storage of the account. Choose another image.',
    '该文件已不在账号的存储中，请选择其他镜像。',
  ),
  folderChanged: fixed(
    'The files of the image folder were changed or deleted. Choose the folder again.',
    '镜像文件夹中的文件已修改或删除，请重新选择该文件夹。',
  ),
  engine: (reason) => ({
    en: `The container engine refuses the image. ${reason}`.trim(),
    cn: `容器引擎拒绝了该镜像。${reason}`,
  }),
  // Files of a program.
  silent: fixed('The program did not send its files in time.', '应用未能及时发送其文件。'),
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
