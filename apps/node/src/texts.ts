import type { ContentErrorCode } from '@tidenet/content'
import type { Unfetchable } from '@tidenet/content/fetchable'
import { type ErrorKey, errorText, type Facts, type Lang } from '@tidenet/contract'

/** A text in every language. */
export type Text = Readonly<Record<Lang, string>>

const say = (en: string, cn: string): Text => ({ en, cn })

/** A text of the shared error catalogue. */
export const shared = (key: ErrorKey, facts: Facts = {}): Text =>
  say(errorText(key, 'en', facts), errorText(key, 'cn', facts))

/** Messages of node refusals; those shared with the server are in the contract's catalogue. */
export const texts = {
  nonce: say('nonce must be a text of at most 200 characters.', 'nonce 须为不超过 200 个字符的文本。'),
  badRequest: say('The request is invalid.', '请求有误。'),

  scope: say('dag-scope must be block, entity or all.', 'dag-scope 必须为 block、entity 或 all。'),
  dotsInPath: say('The path must not contain "." or "..".', '路径不能包含“.”或“..”。'),
  format: (known: readonly string[]) =>
    say(`format must be one of ${known.join(', ')}.`, `format 必须为以下之一：${known.join('、')}。`),
  carVersion: say('Only CAR version 1 is supported.', '仅支持 CAR 第 1 版。'),
  pageNumbers: say('page and count must be numbers.', 'page 和 count 必须为数字。'),
  entityBytes: say('entity-bytes must be from:to.', 'entity-bytes 的格式应为“起:止”。'),
  innerOfFile: say('format=inner is supported for files only.', 'format=inner 仅适用于文件。'),
  noAnswer: say('The other node did not answer.', '另一节点没有响应。'),
  notHere: say('This node does not have the content.', '此节点没有该内容。'),

  away: say('This node is away for a while. Use another node.', '该节点暂停服务，请使用其他节点。'),
  leaving: say(
    'This node leaves the network and takes no uploads. Use another node.',
    '该节点即将退出网络，不再接收上传，请使用其他节点。',
  ),
  silent: say('The client stopped sending data.', '客户端长时间没有发送数据。'),
  tooSlow: (rate: number) =>
    say(
      `The upload was too slow: less than ${rate} bytes per second over one minute. Check your connection and try again.`,
      `上传速度过慢：一分钟内平均每秒不足 ${rate} 字节。请检查网络后重试。`,
    ),
  tooManyUploads: say(
    'This node has too many unfinished uploads. Finish or cancel one, or use another node.',
    '该节点上未完成的上传过多。请先完成或取消其中一个，或换一个节点上传。',
  ),
  repeated: say(
    'The file was downloaded too many times with this address. Open it again to get a new one.',
    '通过该地址下载此文件的次数过多。请重新打开文件以获取新地址。',
  ),
  takenOver: say('Another request took over the upload.', '上传已由另一个请求接管。'),
  noUpload: say('The upload does not exist.', '上传任务不存在。'),
  uploadAt: (offset: number) => say(`The offset of the upload is ${offset}.`, `上传的当前偏移量为 ${offset}。`),
  moreThanLength: (length: number) =>
    say(`The upload is longer than its length of ${length} bytes.`, `上传的数据超过了其 ${length} 字节的长度。`),
  moreThanAnnounced: (size: number) =>
    say(`The upload is longer than the announced ${size} bytes.`, `上传的数据超过了声明的 ${size} 字节。`),
  notAnnounced: (size: number, announced: number) =>
    say(
      `The upload has ${size} bytes instead of the announced ${announced}.`,
      `上传为 ${size} 字节，而声明的是 ${announced} 字节。`,
    ),
  brokeOff: say('The upload was interrupted.', '上传中断。'),
  malformedForm: say('The form is malformed.', '表单格式错误。'),
  checksum: say('The checksum does not match.', '校验和不一致。'),
  checksumAlgorithm: say('The checksum algorithm is not supported.', '不支持该校验算法。'),
  chunkType: (type: string) => say(`The content type must be ${type}.`, `内容类型必须为 ${type}。`),
  overridable: say('Only PATCH and DELETE can be sent as POST.', '只有 PATCH 和 DELETE 可以用 POST 发送。'),
  tusVersion: (version: string) => say(`This node supports tus ${version}.`, `此节点支持 tus ${version}。`),
  numberOfBytes: (header: string) => say(`${header} must be a number of bytes.`, `${header} 必须为字节数。`),
  deferLength: say(
    'Upload-Defer-Length must be 1, without Upload-Length.',
    'Upload-Defer-Length 必须为 1，且不能与 Upload-Length 同时使用。',
  ),
  lengthIsSet: say('The length of the upload is already set.', '上传的长度已经确定，不能更改。'),
  concatMalformed: say(
    'Upload-Concat must be "partial", or "final;" and the addresses of the parts.',
    'Upload-Concat 须为“partial”，或“final;”加各分片的地址。',
  ),
  partUnfinished: say('A part of the upload is not finished.', '上传的某个分片尚未完成。'),
  metadataTooLong: say('Upload-Metadata is too long.', 'Upload-Metadata 过长。'),
  metadataMalformed: say('Upload-Metadata is malformed.', 'Upload-Metadata 格式错误。'),

  notTheBytes: (cid: string) => say(`The data does not match ${cid}.`, `数据与 ${cid} 不符。`),
  notTheRoot: (cid: string) => say(`The root is not ${cid}.`, `根 CID 不是 ${cid}。`),
  blockMissing: (cid: string) => say(`The archive does not contain the block ${cid}.`, `归档缺少数据块 ${cid}。`),
  rootIsNoFolder: say('The root of the archive is neither a folder nor a file.', '归档的根既不是文件夹也不是文件。'),
  fileIsCutDifferently: say(
    'The file in the archive does not consist of raw leaves, so its parts could not be verified one by one. Create the archive again with raw leaves (CIDv1), or upload the file itself.',
    '归档中的文件不是由 raw 叶块组成，无法逐块校验。请使用 raw 叶块（CIDv1）重新打包，或直接上传该文件。',
  ),
  strayBlocks: (count: number) =>
    say(`The archive contains ${count} blocks that its root does not link.`, `归档中有 ${count} 个数据块不属于其根。`),
} as const

/** Messages for folders that could not be downloaded later. `path` is quoted. */
export const unfetchableTexts: Readonly<Record<Unfetchable['what'], (path: string) => Text>> = {
  symlink: (path: string) =>
    say(
      `The folder contains a symbolic link at ${path}. Replace it with the file it points to.`,
      `文件夹中的 ${path} 是符号链接，请替换为它指向的文件。`,
    ),
  name: (path: string) =>
    say(`The name of ${path} in the folder is not valid. Rename it.`, `文件夹中 ${path} 的名称无效，请重新命名。`),
  twice: (path: string) =>
    say(
      `The folder contains two entries with the same name at ${path}. Rename one of them.`,
      `文件夹中 ${path} 处有两个同名条目，请重新命名其中一个。`,
    ),
  deep: (path: string) => say(`The folder is nested too deeply at ${path}.`, `文件夹在 ${path} 处嵌套过深。`),
  many: (path: string) =>
    say(
      `The folder contains too many files and folders at ${path}; repeated items count each time. Upload it in parts.`,
      `文件夹在 ${path} 处的文件和文件夹过多（重复引用的每次均计入），请分几次上传。`,
    ),
  malformed: (path: string) =>
    say(
      `The archive is invalid at ${path}: this file or folder could not be downloaded later. Create the archive again.`,
      `归档在 ${path} 处有误：该文件或文件夹之后将无法下载，请重新打包。`,
    ),
}

/** Messages for invalid content, by error code. */
export const contentTexts: Readonly<Record<ContentErrorCode, Text>> = {
  'bad-cid': say('The content contains an invalid CID.', '内容中的 CID 无效。'),
  'bad-car': say('The archive is malformed.', '归档格式错误。'),
  unsupported: say(
    'The content has blocks that this network does not store, such as dag-cbor or identity CIDs. Only raw and dag-pb blocks with SHA-256 are stored.',
    '内容中含有本网络不支持存储的数据块（例如 dag-cbor 或 identity CID）。仅支持使用 SHA-256 的 raw 和 dag-pb 数据块。',
  ),
  'bad-dag': say('The content is malformed.', '内容格式错误。'),
  'bad-tar': say('The tar is malformed.', 'tar 格式错误。'),
  mismatch: say('The data does not match its CID.', '数据与其 CID 不符。'),
  changed: say('The content changed while it was being read.', '内容在读取过程中发生了变化。'),
  'not-found': shared('assetUnknown'),
  'bad-path': say('The path is not valid.', '路径无效。'),
  'too-large': say('A block is too large.', '数据块过大。'),
  wrapped: say('The file has no raw leaves.', '文件未使用 raw leaves。'),
}
