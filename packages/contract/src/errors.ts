import type { Lang } from './lang.ts'

/** What a catalogue entry may be told about the case at hand. */
export type Facts = Readonly<Record<string, string | number | undefined>>

interface Entry {
  /** The number on the wire, field `err`. */
  err: number
  en: (facts: never) => string
  cn: (facts: never) => string
}

const say = (en: string, cn: string, err: number) => ({ err, en: () => en, cn: () => cn })
const tell = <F extends Facts>(err: number, en: (facts: F) => string, cn: (facts: F) => string) => ({ err, en, cn })

/**
 * Every refusal the server can answer with, by name. Numbers follow the wire; texts are shown to people as they are.
 * `unauthorized` alone is not an `err`: it becomes the envelope `{ code: 401 }`.
 */
export const errors = {
  unauthorized: say('Please sign in to continue.', '请先登录。', 401),
  sessionExpired: say('Your session has expired. Please sign in again.', '登录已过期，请重新登录。', 401),
  keyRejected: say(
    'This API key is not valid. It may have been deleted; create another one.',
    '该 API 密钥无效，可能已被删除，请创建新的密钥。',
    401,
  ),

  notFound: say('Nothing was found here. It may have been deleted.', '未找到该内容，可能已被删除。', 1000),
  /** `hint` says what is expected, in the language of the text. */
  invalidParams: tell<{ field: string; hint?: string }>(
    1001,
    ({ field, hint }) => `Please check the input: ${field}. ${hint ?? ''}`.trim(),
    ({ field, hint }) => `请检查输入内容：${field}。${hint ?? ''}`,
  ),
  nameMissing: say('Please enter a name.', '请输入名称。', 1001),
  personMissing: say('Please say who you are.', '请填写您的姓名。', 1001),
  textMissing: say('Please write a few words.', '请填写内容。', 1001),
  textTooLong: tell<{ max: number }>(
    1001,
    ({ max }) => `The text has at most ${max} characters.`,
    ({ max }) => `内容最多 ${max} 个字符。`,
  ),
  nameTooLong: tell<{ max: number }>(
    1001,
    ({ max }) => `A name has at most ${max} characters.`,
    ({ max }) => `名称最多 ${max} 个字符。`,
  ),
  nameForbidden: say(
    'A name must not contain / \\ or control characters, nor be . or ..',
    '名称不能包含 / \\ 或控制字符，也不能是 . 或 ..。',
    1001,
  ),
  twoTargets: say('Name either a file or a folder, not both.', '只能指定文件或文件夹中的一个。', 1001),
  tooManyAreas: tell<{ max: number }>(
    1001,
    ({ max }) => `At most ${max} areas can be chosen.`,
    ({ max }) => `最多选择 ${max} 个区域。`,
  ),
  shortPassFormat: say('The access password is exactly 6 letters or digits.', '提取码须为 6 位字母或数字。', 1001),
  expiryPast: say('The expiry must lie in the future.', '有效期必须晚于当前时间。', 1001),
  bodyNotJson: say('The body is not valid JSON.', '请求体不是有效的 JSON。', 1001),
  bodyTooLarge: tell<{ max: number }>(
    1001,
    ({ max }) => `The body has at most ${max} bytes.`,
    ({ max }) => `请求体最大 ${max} 字节。`,
  ),
  bodyKind: say(
    'The body must be JSON, sent with the header Content-Type: application/json.',
    '请求体须为 JSON，并带有请求头 Content-Type: application/json。',
    1001,
  ),
  badAddress: say('This address is too long or not encoded correctly.', '该地址过长或编码不正确。', 1001),
  tooManyRequests: tell<{ seconds: number }>(
    1020,
    ({ seconds }) => `Too many requests. Try again in ${seconds} seconds.`,
    ({ seconds }) => `请求过于频繁，请在 ${seconds} 秒后重试。`,
  ),
  badCid: say('This is not a valid content ID (CID).', '内容标识（CID）无效。', 1001),

  userNotFound: say('There is no account with this name.', '账号不存在。', 1002),
  internal: say('Something went wrong on our side. Please try again later.', '服务异常，请稍后重试。', 1004),
  noArea: say('No storage node is available in this area right now.', '该区域暂无可用的存储节点。', 1005),
  signInFailed: say('The account or the password is wrong.', '账号或密码错误。', 1010),
  emailExists: say('This e-mail address is already registered.', '该邮箱已注册。', 1011),
  nameNotExists: say('There is no account with this e-mail address.', '该邮箱未注册。', 1012),
  invalidCode: say('The verification code is wrong.', '验证码错误。', 1013),
  codeExpired: say('The verification code has expired. Please request a new one.', '验证码已失效，请重新获取。', 1014),
  codeLocked: tell<{ seconds: number }>(
    1014,
    ({ seconds }) => `Too many wrong codes. Try again in ${seconds} seconds.`,
    ({ seconds }) => `验证码错误次数过多，请在 ${seconds} 秒后重试。`,
  ),
  codeKind: say('This kind of verification code is not supported.', '不支持该类型的验证码。', 1015),
  assetExists: say('This file is already in your storage.', '该文件已存在于您的存储中。', 1017),
  codeTooSoon: tell<{ seconds: number }>(
    1020,
    ({ seconds }) => `A code was just sent. Request another one in ${seconds} seconds.`,
    ({ seconds }) => `验证码已发送，请在 ${seconds} 秒后重新获取。`,
  ),
  tooManyCodes: say(
    'Too many codes were requested today. Try again tomorrow.',
    '今日获取验证码次数过多，请明天再试。',
    1020,
  ),
  signInLocked: tell<{ seconds: number }>(
    1020,
    ({ seconds }) => `Too many failed sign-ins. Try again in ${seconds} seconds.`,
    ({ seconds }) => `登录失败次数过多，请在 ${seconds} 秒后重试。`,
  ),
  forbidden: say('You do not have permission to do this.', '您没有权限执行此操作。', 1028),

  emailMissing: say('Please enter your e-mail address.', '请输入您的邮箱地址。', 1001),
  emailInvalid: say('Please enter the correct e-mail address.', '请输入正确的邮箱地址。', 1001),
  incomplete: say('Please fill in the complete information.', '请填写完整信息。', 1001),
  passwordCharacters: say(
    'The password must not contain Chinese or blank characters.',
    '密码不能包含中文或空白字符。',
    1001,
  ),
  passwordLength: tell<{ min: number; max: number }>(
    1001,
    ({ min, max }) => `The password has ${min} to ${max} characters.`,
    ({ min, max }) => `密码长度为 ${min}-${max} 个字符。`,
  ),
  passwordWeak: say('This password is too common. Please choose another one.', '该密码过于常见，请更换。', 1001),

  tempUploads: say('This file has been shared anonymously too often.', '该临时文件分享次数已达上限。', 2056),
  tempDownloads: say('This temporary file has reached its download limit.', '该临时文件下载次数已达上限。', 2057),
  shareExpired: say('This share has expired.', '分享已过期。', 2058),
  sharePassRequired: say('This share asks for its access password.', '请输入提取码。', 2059),
  sharePassWrong: say('The access password is wrong.', '提取码错误。', 2060),
  sharePassLocked: tell<{ seconds: number }>(
    2060,
    ({ seconds }) => `Too many wrong passwords. Try again in ${seconds} seconds.`,
    ({ seconds }) => `提取码错误次数过多，请在 ${seconds} 秒后重试。`,
  ),
  linkExists: say('There is already a link for this item.', '该内容已有分享链接。', 2061),
  linkNotYours: say('This link belongs to another account.', '该链接不属于您。', 2062),
  userIdMissing: say('The owner of the file must be named.', '缺少用户标识。', 2063),
  shareLimit: say('The share limit of this file is exceeded.', '该文件分享次数已达上限。', 2064),
  outflowSpent: say('The monthly outflow of the owner is used up.', '所有者本月流量已用尽。', 2065),

  quotaExceeded: tell<{ free: number }>(
    10004,
    ({ free }) => `There is not enough storage space left (${Math.floor(free / 1048576)} MiB free).`,
    ({ free }) => `存储空间不足（剩余 ${Math.floor(free / 1048576)} MiB）。`,
  ),
  tempTooLarge: tell<{ max: number }>(
    10004,
    ({ max }) => `Without an account a file has at most ${Math.floor(max / 1048576)} MiB.`,
    ({ max }) => `未登录时文件最大 ${Math.floor(max / 1048576)} MiB。`,
  ),
  uploadTooLarge: tell<{ max: number }>(
    10004,
    ({ max }) => `The upload is larger than the ${max} bytes allowed.`,
    ({ max }) => `上传内容超过了允许的 ${max} 字节。`,
  ),
  fileFieldMissing: say(
    'The body must be multipart/form-data with a field "file".',
    '请求体须为 multipart/form-data，并包含字段 "file"。',
    1001,
  ),
  nodeFull: say(
    'This node has no room for the upload. Please try another one.',
    '该节点空间不足，请换一个节点上传。',
    10008,
  ),
  nodeBusy: say('This node is busy. Please try again in a moment.', '该节点正忙，请稍后再试。', 10008),
  noNode: say(
    'No storage node can take this right now. Please try again soon.',
    '暂无可用的存储节点，请稍后再试。',
    10008,
  ),
  shareVisitsSpent: say('Access exceeds limits.', '访问次数超出限制。', 10011),
  tokenRejected: say('Authorization failed.', '授权失败。', 10012),
  tooManyKeys: tell<{ max: number }>(
    10013,
    ({ max }) => `An account has at most ${max} API keys.`,
    ({ max }) => `每个账号最多 ${max} 个 API 密钥。`,
  ),
  keyNameTaken: say('There is already an API key with this name.', 'API 密钥名称已存在。', 10014),
  keyUnknown: say('There is no API key with this name.', 'API 密钥不存在。', 10015),
  keyPermissions: say('Choose at least one permission for the key.', '请至少选择一个权限。', 10016),
  folderNotEmpty: say('The folder is not empty.', '文件夹不为空。', 10017),
  folderUnknown: say('This folder does not exist.', '文件夹不存在。', 10018),
  tooManyFolders: tell<{ max: number }>(
    10019,
    ({ max }) => `An account has at most ${max} folders.`,
    ({ max }) => `每个账号最多 ${max} 个文件夹。`,
  ),
  moveIntoSelf: say('A folder cannot be moved into itself.', '不能将文件夹移动到其自身或子文件夹中。', 10020),
  moveRoot: say('The root folder cannot be moved.', '根目录不能移动。', 10021),
  moveSame: say('The item is already in this folder.', '该内容已在此文件夹中。', 10022),
  nodesOffline: say('All storage nodes that hold this file are offline.', '存储该文件的节点均已离线。', 10025),
  assetUnknown: say('The file does not exist.', '文件不存在。', 10028),
  emptyFile: say('The file is empty. A file must be larger than 0 bytes.', '文件为空，文件大小必须大于 0。', 10030),
  fileExpired: say('The file has expired.', '文件已过期。', 10028),
  proofFailed: say(
    'The proof of possession is wrong. Please upload the file.',
    '文件持有证明不符，请上传文件。',
    10027,
  ),
  nodeSignature: say('The signature of the node is not valid.', '节点签名无效。', 1021),
  joinRefused: say('This kind of node needs a valid join token.', '该类型节点需要有效的加入令牌。', 1028),
} as const satisfies Record<string, Entry>

export type ErrorKey = keyof typeof errors

type FactsOf<K extends ErrorKey> = Parameters<(typeof errors)[K]['en']>[0]
/** The arguments after the key: nothing, or the facts the text needs. */
export type ErrorFacts<K extends ErrorKey> = FactsOf<K> extends Facts ? [facts: FactsOf<K>] : []

/** A refusal with its place in the catalogue. Services throw it; `serve` writes it in the caller's language. */
export class AppError<K extends ErrorKey = ErrorKey> extends Error {
  readonly key: K
  readonly facts: Facts
  /** Goes to the answer beside `err` and `msg` (1017 carries `data: { assetDirectUrl }`). */
  data: unknown

  constructor(key: K, ...facts: ErrorFacts<K>) {
    super(key)
    this.name = 'AppError'
    this.key = key
    this.facts = (facts[0] as Facts | undefined) ?? {}
  }

  /** Adds data to the answer, for the few refusals whose clients read some. */
  with(data: unknown): this {
    this.data = data
    return this
  }
}

export function isErrorKey(text: string): text is ErrorKey {
  return Object.hasOwn(errors, text)
}

/** The text of a refusal in one language. */
export function errorText(key: ErrorKey, lang: Lang, facts: Facts = {}): string {
  return (errors[key][lang] as (facts: Facts) => string)(facts)
}
