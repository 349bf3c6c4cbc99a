/** Codes of this SDK. The server's `err` numbers are separate, in `data.err`. */
export const codes = {
  success: 0,
  failure: -1,
  cancelled: -200,
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  notAllowed: 405,
  unavailable: 503,
  initFailed: 1001,
  tokenEmpty: 1002,
  tokenInvalid: 1003,
  resourceUnavailable: 1004,
  nameMissing: 1005,
  idMissing: 1006,
  shareError: 1007,
  assetNotObject: 1008,
  shortPassInvalid: 1009,
  fetchError: 10010,
  parentInvalid: 10011,
  pageInvalid: 10012,
  pageSizeInvalid: 10013,
  fieldsMissing: 10014,
  uploadError: 10015,
  areaNotArray: 10016,
  groupInvalid: 10017,
  assetTypeInvalid: 10018,
  noDownloadAddress: 10019,
  downloadError: 10020,
  assetIdError: 10021,
  downloadTypeUnknown: 10022,
  reportError: 10023,
  expiryInvalid: 10024,
  optionsInvalid: 10025,
  itemInfoFailed: 10026,
  sizeError: 10027,
  aborted: 10028,
  timedOut: 10029,
  downloadFileError: 10030,
} as const

export type CodeName = keyof typeof codes

/** Language of messages: `cn`, `en`, or empty: English, and no `lang` header is sent. */
export type Lang = 'cn' | 'en' | ''

type Fill = readonly (string | number)[]
type Text = readonly [en: string, cn: string]

const invalidRequest: Text = ['The request was invalid. Please check your input.', '请求无效，请检查您的输入。']
const serverFault: Text = ['An error occurred on the server. Please try again later.', '服务器发生错误，请稍后再试。']

/** Default message of each code. */
const codeTexts: Readonly<Record<number, Text>> = {
  0: ['success', '成功'],
  [-1]: ['failure', '失败'],
  [-200]: ['Upload cancelled by user', '用户已取消上传'],
  400: invalidRequest,
  401: ['You are not authorized. Please check your credentials.', '您未获得授权，请检查您的凭据。'],
  403: ['You do not have permission to access this resource.', '您没有权限访问此资源。'],
  404: ['The requested resource could not be found.', '找不到请求的资源。'],
  405: serverFault,
  500: serverFault,
  503: ['The service is currently unavailable. Please try again later.', '服务当前不可用，请稍后再试。'],
  1001: ['Initialization failed. Please call initialize first.', '初始化失败，请先调用 initialize。'],
  1002: ['API token required', '需要提供 API 令牌'],
  1003: ['Invalid API token provided.', '提供的 API 令牌无效。'],
  1004: ['The resource is not available or the parent ID is wrong.', '资源不可用或父级 ID 错误。'],
  1005: ['The name is missing.', '缺少名称。'],
  1006: ['The ID is missing.', '缺少 ID。'],
  1007: ['This item cannot be shared.', '该文件无法分享。'],
  1008: ['The asset detail must be an object.', '资产详情必须是对象。'],
  1009: ['The access password must be exactly 6 letters or digits.', '提取码必须为 6 位字母或数字。'],
  10010: ['Network connection failed, please try again', '网络连接失败，请重试'],
  10011: ['The parent must be a non-negative number.', '父级必须为非负数。'],
  10012: ['The page must be a positive number.', '页码必须为正数。'],
  10013: ['The page size must be a positive number.', '每页数量必须为正数。'],
  10014: ['Required fields are missing.', '缺少必填字段。'],
  10015: ['Unknown error during upload', '上传过程中发生未知错误'],
  10016: ['area_id must be an array.', 'area_id 必须是数组。'],
  10017: ['group_id must be an integer.', 'group_id 必须是整数。'],
  10018: ['asset_type must be 0 or 1.', 'asset_type 必须为 0 或 1。'],
  10019: ['Download URL does not exist', '下载地址不存在'],
  10020: ['All url download failed', '所有地址下载失败'],
  10021: ['Asset ID is required', '缺少资产 ID'],
  10022: ['The download type is unknown.', '未知的下载类型。'],
  10023: ['Failed to report', '上报失败'],
  10024: ['expireAt must be a positive integer.', 'expireAt 必须为正整数。'],
  10025: ['The options are invalid.', '选项无效。'],
  10026: ['Failed to retrieve asset group info', '获取文件或文件夹信息失败'],
  10027: ['The file must be larger than 0 bytes.', '文件大小必须大于 0。'],
  10028: ['Request aborted', '请求已中止'],
  10029: ['Request timed out', '请求超时'],
  10030: ['The downloaded file is not what was asked for.', '下载的文件与所请求的内容不符。'],
}

const unknown: Text = ['An unknown error occurred.', '发生未知错误。']

/** Messages more specific than those of the codes; `{0}` is a placeholder. */
const phrases = {
  serverError: ['Server error', '服务器错误'],
  nodeNetwork: ['Handle network errors', '网络错误'],
  chunkFailed: ['Failed to download chunk', '分片下载失败'],
  uploadAllFailed: [
    'All upload addresses failed, reached address length of {0}',
    '所有上传地址均失败，已达到地址数量 {0}',
  ],
  uploadNoAddress: ['Upload addresses failed.', '上传地址获取失败。'],
  streamAborted: ['Stream aborted', '数据流已中止'],
  uploadFailed: ['Failed to upload file: {0}', '上传文件失败：{0}'],
  optionMeant: ['There is no option {0}. Did you mean {1}?', '没有名为 {0} 的选项，您是否想用 {1}？'],
  optionUnknown: ['There is no option {0}. Available options: {1}.', '没有名为 {0} 的选项。可用选项：{1}。'],
  groupNumber: ['group_id must be the number of a folder, {0} or more.', 'group_id 必须是文件夹编号，且不小于 {0}。'],
  folderPath: [
    'The folder contains {0}, which could not be downloaded later. A name must not be empty, “.” or “..”, must not contain a slash or NUL, has at most 1,024 bytes and must be unique in its folder; folders are at most 128 levels deep. Rename it and upload again.',
    '文件夹中的 {0} 上传后将无法再下载：名称不能为空、“.”或“..”，不能含斜杠或 NUL，最长 1,024 字节，且在同一文件夹内不能重复；文件夹最多 128 层。请改名后重新上传。',
  ],
  treePath: [
    'The name {0} cannot be used: a name must not be empty, “.” or “..”, must not contain a slash, backslash or control character, and has at most 255 characters. Rename it and upload again.',
    '名称 {0} 无法使用：名称不能为空、“.”或“..”，不能含斜杠、反斜杠或控制字符，最长 255 个字符。请改名后重新上传。',
  ],
  treeName: ['Several files', '多个文件'],
  folderEntries: [
    'The folder contains more than {0} files and folders. Upload it in parts.',
    '文件夹中的文件和文件夹超过 {0} 个，请分批上传。',
  ],
  carMalformed: ['The file is not a CAR, or it is damaged.', '该文件不是 CAR 文件，或已损坏。'],
  carDamaged: [
    'The CAR is damaged: a block is missing or does not match its CID. Create it again.',
    'CAR 文件已损坏：缺少数据块，或数据块与其 CID 不符。请重新生成。',
  ],
  carRoots: [
    'The CAR must have exactly one root. Create one CAR for each folder or file.',
    'CAR 文件必须恰好有一个根。请为每个文件夹或文件分别生成 CAR。',
  ],
  carUnsupported: [
    'The CAR has blocks that the network does not store, such as dag-cbor or identity CIDs. Only raw and dag-pb blocks with SHA-256 are stored.',
    'CAR 文件中含有本网络不支持存储的数据块（例如 dag-cbor 或 identity CID）。仅支持使用 SHA-256 的 raw 和 dag-pb 数据块。',
  ],
  uploadTooLarge: ['Without an account a file has at most 100 MiB.', '未登录时文件最大 100 MiB。'],
  uploadMismatch: ['The node stored something else than what was sent.', '节点存储的内容与发送的内容不一致。'],
  shareEnded: ['The link does not open any more: {0}', '链接已无法打开：{0}'],
  downloadStatus: ['Download failed{0}', '下载失败{0}'],
  downloadAbort: ['Download abort', '下载已中止'],
  downloadAllFailed: [
    'All download addresses failed, reached address length of {0}',
    '所有下载地址均失败，已达到地址数量 {0}',
  ],
  downloadMaximum: [
    'The download address has reached the maximum number of downloadable addresses',
    '下载地址已达到可下载的最大次数',
  ],
  noDownloadNode: ['No available download nodes', '没有可用的下载节点'],
  wrongBytes: ['The node sent bytes that do not belong to this file.', '节点返回的数据不属于该文件。'],
  decryptFailed: ['The file cannot be decrypted with this key.', '无法使用该密钥解密文件。'],
  vaultNone: ['Encryption is not set up for this account.', '此账号尚未设置加密。'],
  vaultWrongKey: [
    'Wrong key: it does not open the vault. Your files are unchanged.',
    '密钥错误，无法解锁。您的文件不受影响。',
  ],
  vaultNoKit: [
    'This is not a recovery kit: it has no recovery key, which begins with AGE-SECRET-KEY-1.',
    '这不是恢复套件：其中没有以 AGE-SECRET-KEY-1 开头的恢复密钥。',
  ],
  vaultKitReplaced: [
    'Wrong key: this recovery kit was replaced by a newer one.',
    '密钥错误：该恢复套件已被新的套件取代。',
  ],
  vaultOther: [
    'The portal names another key than the one that you unlocked. Nothing was encrypted with it. Do not upload, and ask support.',
    '门户提供的密钥与您解锁的密钥不一致，未用它加密任何内容。请勿上传，并联系客服。',
  ],
  vaultNoPasskey: [
    'The passkey was not used. Try again, or unlock with the passphrase or the recovery kit.',
    '未使用通行密钥。请重试，或使用口令或恢复套件解锁。',
  ],
  vaultWeak: ['The passphrase needs at least 10 characters.', '口令至少需要 10 个字符。'],
  notInFolder: ['The folder holds nothing of this path.', '文件夹中没有该路径。'],
  noFolderThere: ['There is a file at this path, not a folder.', '该路径是文件，不是文件夹。'],
  targetFailed: ['The file cannot be written: {0}', '无法写入文件：{0}'],
  itemIdMissing: ['At least one ID (cId or groupId) is required', '至少需要提供一个 ID（cId 或 groupId）'],
  areas: ['Failed to get area ID', '获取区域 ID 失败'],
  profile: ['Failed to retrieve user information', '获取用户信息失败'],
  itemInfo: ['Failed to retrieve asset group info', '获取文件或文件夹信息失败'],
  groupCreate: ['Failed to create group', '创建文件夹失败'],
  groupRename: ['Failed to rename group', '重命名文件夹失败'],
  groupRemove: ['Failed to delete group', '删除文件夹失败'],
  assetRename: ['Failed to rename asset', '重命名文件失败'],
  assetRemove: ['Failed to delete asset', '删除文件失败'],
  assetList: ['Failed to asset list', '获取文件列表失败'],
} as const satisfies Record<string, Text>

export type Phrase = keyof typeof phrases

/** The message of a code; unknown codes have a generic one. */
export function codeText(code: number, lang: Lang): string {
  return (codeTexts[code] ?? (code > 500 && code < 600 ? serverFault : unknown))[lang === 'cn' ? 1 : 0]
}

/** A message of the catalogue; `fill` replaces `{0}`, `{1}`, … */
export function phrase(name: Phrase, lang: Lang, ...fill: Fill): string {
  const text: string = phrases[name][lang === 'cn' ? 1 : 0]
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(fill[Number(index)] ?? ''))
}

/** All messages by name, for documentation and tests. */
export const catalogue = { codeTexts, phrases } as const
