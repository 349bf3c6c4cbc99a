import type { Lang } from './lang.ts'

/** What can be imported: a file by its address, a content by its CID, the objects of another S3. */
export const IMPORT_KINDS = ['url', 'cid', 's3'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** `cancelling`: its owner cancelled it, and its worker has not stopped yet. */
export const IMPORT_STATES = ['queued', 'running', 'cancelling', 'done', 'failed', 'cancelled'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** Imports of an account that have not ended, and those that it begins in 24 hours. */
export const IMPORTS_OPEN_MAX = 100
export const IMPORTS_PER_DAY = 1000
/** Imports of an account that run at the same time. */
export const IMPORTS_RUNNING_MAX = 2
/** Objects that an import of another S3 names of those that were not copied. */
export const IMPORT_PROBLEMS_MAX = 20
/** Largest file of an import by URL or CID, in bytes: it waits on the disk of a gateway. */
export const IMPORT_FILE_MAX = 20 * 1024 ** 3

const reason = (en: string, cn: string): Record<Lang, string> => ({ en, cn })

/** Why an import failed, and what to do. Gateways report the name, people read the text. */
export const IMPORT_REASONS = {
  unreachable: reason(
    'The source could not be reached. Check the address, or retry later.',
    '无法连接到来源。请检查地址，或稍后重试。',
  ),
  private: reason(
    'The address, or one that it redirects to, is not on the public internet, or is one of the gateway itself. Use another public address.',
    '该地址或其重定向的目标不在公网上，或是网关自己的地址。请使用其他公网地址。',
  ),
  redirects: reason(
    'The source redirects too often, or to an address that cannot be used. Use the final address.',
    '来源重定向次数过多，或重定向到无法使用的地址。请使用最终地址。',
  ),
  refused: reason(
    'The source refused the request. Check whether the address needs a sign-in, or has expired.',
    '来源拒绝了请求。请检查该地址是否需要登录，或是否已过期。',
  ),
  missing: reason('The source does not have it. Check the address.', '来源中没有此内容。请检查地址。'),
  broken: reason(
    'The source ended early, or sent something else than it announced. Retry later.',
    '来源提前中断，或发送的内容与声明不符。请稍后重试。',
  ),
  slow: reason(
    'The source sent nothing for too long, or too little while others were waiting. Retry later.',
    '来源长时间没有发送数据，或在其他导入排队时发送过慢。请稍后重试。',
  ),
  tooLarge: reason(
    'The file is larger than an import can be. Download it and upload it yourself.',
    '文件超过导入的大小上限。请下载后自行上传。',
  ),
  quota: reason(
    'Your storage is full. Delete files or upgrade your plan, then retry.',
    '您的存储空间已满。请删除文件或升级套餐，然后重试。',
  ),
  noSource: reason(
    'None of the IPFS gateways that the operator named has this content. Make sure that a public gateway can open it, then retry.',
    '运营方指定的 IPFS 网关均没有此内容。请确认公共网关可以打开它，然后重试。',
  ),
  wrongBlocks: reason(
    'The IPFS gateways sent blocks that do not match the CID, or not all of them. Retry later.',
    'IPFS 网关发送的数据块与 CID 不符或不完整。请稍后重试。',
  ),
  unsupported: reason(
    'This content is neither a file nor a folder of UnixFS with SHA-256 hashes. It cannot be imported.',
    '此内容不是使用 SHA-256 的 UnixFS 文件或文件夹，无法导入。',
  ),
  /** Only of old imports: such a file now gets a folder of its own. */
  wrapped: reason(
    'The parts of this file are wrapped in nodes (no raw leaves), so they cannot be verified one by one. Add it again with raw leaves, or put it in a folder and import that one.',
    '此文件的数据块包在节点中（未使用 raw leaves），无法逐块验证。请使用 raw leaves 重新添加，或将其放入文件夹后导入该文件夹。',
  ),
  blocked: reason('The operators have blocked this content.', '该内容已被运营人员屏蔽。'),
  folder: reason(
    'The folder of the import does not exist any more. Start the import again with another folder.',
    '导入的目标文件夹已不存在。请选择其他文件夹重新导入。',
  ),
  access: reason(
    'The API key with which the import began has ended, or the account is closing. Start it again with another key.',
    '发起导入的 API 密钥已失效，或账号正在注销。请使用其他密钥重新发起。',
  ),
  s3Denied: reason(
    'The other S3 refused the access key. Check the key and its permissions, then retry with the secret.',
    '对方 S3 拒绝了访问密钥。请检查密钥及其权限，然后填写密钥后重试。',
  ),
  s3Forbidden: reason(
    'The access key may not read this object at the other S3. Let it read (in AWS: s3:GetObject), then retry with the secret.',
    '该访问密钥无权读取对方 S3 中的此对象。请授予读取权限（AWS 为 s3:GetObject），然后填写密钥后重试。',
  ),
  s3List: reason(
    'The access key may not list the bucket, so the other S3 does not say which objects there are. Let it list (in AWS: s3:ListBucket), then retry with the secret.',
    '该访问密钥无权列出存储桶，因此无法得知其中有哪些对象。请授予列出权限（AWS 为 s3:ListBucket），然后填写密钥后重试。',
  ),
  archived: reason(
    'In an archive of the other S3, such as Glacier. Restore it there, then start the import again.',
    '位于对方 S3 的归档存储（例如 Glacier）中。请先在对方恢复，再重新导入。',
  ),
  s3Missing: reason(
    'The other S3 has no such bucket. Check its name and the endpoint.',
    '对方 S3 没有该存储桶。请检查名称和端点。',
  ),
  s3Answer: reason(
    'The endpoint did not answer as S3 does. Check its address and region.',
    '该端点的响应不符合 S3 协议。请检查地址和区域。',
  ),
  objects: reason(
    'Some objects could not be copied. Retry: what is already there is skipped.',
    '部分对象未能复制。请重试，已复制的对象会自动跳过。',
  ),
  objectsRefused: reason(
    'Some objects cannot be copied; the list says why, and waiting does not help. Mend that and retry: what is already there is skipped.',
    '部分对象无法复制，原因见列表，等待也无法解决。请处理后重试，已复制的对象会自动跳过。',
  ),
  gateway: reason(
    'The gateway that fetched it had a problem of its own, such as a full disk. Retry later; if it fails again, tell the operator.',
    '获取文件的网关自身出现问题，例如磁盘已满。请稍后重试；如仍失败，请联系运营方。',
  ),
  storing: reason('The nodes could not store the bytes. Retry later.', '节点未能存储数据。请稍后重试。'),
  interrupted: reason('The import was interrupted several times. Retry later.', '导入多次中断。请稍后重试。'),
} as const satisfies Record<string, Record<Lang, string>>

export type ImportReason = keyof typeof IMPORT_REASONS
export const IMPORT_REASON_NAMES = Object.keys(IMPORT_REASONS) as [ImportReason, ...ImportReason[]]

/** Reasons that may pass by themselves: the worker's server tries these again a few times. */
export const TEMPORARY_REASONS: readonly ImportReason[] = [
  'unreachable',
  'broken',
  'slow',
  'noSource',
  'wrongBlocks',
  'objects',
  'gateway',
  'storing',
]

/** Why an import waits for another try. Nobody has to do anything, so these differ from the texts of failed imports. */
const RETRIED_REASONS: Partial<Record<ImportReason, Record<Lang, string>>> = {
  unreachable: reason('The source could not be reached. It will be tried again.', '无法连接到来源，将自动重试。'),
  broken: reason(
    'The source ended early, or sent something else than it announced. It will be tried again.',
    '来源提前中断，或发送的内容与声明不符，将自动重试。',
  ),
  slow: reason(
    'The source sent nothing for too long, or too little while others were waiting. It will be tried again.',
    '来源长时间没有发送数据，或在其他导入排队时发送过慢，将自动重试。',
  ),
  noSource: reason(
    'None of the IPFS gateways that the operator named has this content. They will be tried again.',
    '运营方指定的 IPFS 网关均没有此内容，将自动重试。',
  ),
  wrongBlocks: reason(
    'The IPFS gateways sent blocks that do not match the CID, or not all of them. They will be tried again.',
    'IPFS 网关发送的数据块与 CID 不符或不完整，将自动重试。',
  ),
  objects: reason('Some objects could not be copied. They will be tried again.', '部分对象未能复制，将自动重试。'),
  gateway: reason(
    'The gateway that fetched it had a problem of its own, such as a full disk. It will be tried again.',
    '获取文件的网关自身出现问题（例如磁盘已满），将自动重试。',
  ),
  storing: reason('The nodes could not store the bytes. It will be tried again.', '节点未能存储数据，将自动重试。'),
  interrupted: reason('The import was interrupted. It will be tried again.', '导入被中断，将自动重试。'),
}

/** Empty unless it failed, or waits for another try. */
export const importErrorText = (state: ImportState, name: string, lang: Lang): string => {
  const texts: Partial<Record<string, Record<Lang, string>>> =
    state === 'failed' ? IMPORT_REASONS : state === 'queued' ? RETRIED_REASONS : {}
  return texts[name]?.[lang] ?? ''
}
