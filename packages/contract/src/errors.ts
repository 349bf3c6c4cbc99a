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

/** A rough duration in words, such as “3 hours”. */
function spanOf(seconds: number, lang: Lang): string {
  const away = Math.abs(seconds)
  const [unit, en, cn] = SPANS.find(([unit]) => away >= 2 * unit) ?? [1, 'seconds', '秒']
  return lang === 'en' ? `${Math.round(away / unit)} ${en}` : ` ${Math.round(away / unit)} ${cn}`
}
const SPANS = [
  [86_400, 'days', '天'],
  [3600, 'hours', '小时'],
  [60, 'minutes', '分钟'],
] as const

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
  accountLocked: say(
    'This account is locked. If you think that this is a mistake, write to us.',
    '该账号已被锁定，如有疑问请联系我们。',
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
  /** HTTP 503 with Retry-After: the call had no effect and can be repeated. */
  unavailable: say(
    'The service is currently unavailable. Please try again in a few seconds.',
    '服务暂时不可用，请稍候几秒再试。',
    503,
  ),
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
  secondFactorNeeded: say('Please confirm the sign-in with your second factor.', '请完成两步验证以继续登录。', 1029),
  secondFactorWrong: say('This did not confirm the sign-in. Please try again.', '验证未通过，请重试。', 1013),
  secondFactorLocked: tell<{ seconds: number }>(
    1020,
    ({ seconds }) => `Too many tries of the second factor. Try again in ${seconds} seconds.`,
    ({ seconds }) => `两步验证尝试次数过多，请在 ${seconds} 秒后重试。`,
  ),
  ticketExpired: say('This sign-in has expired. Please start again.', '本次登录已失效，请重新登录。', 1014),
  proofNeeded: say(
    'Please confirm that it is you: this changes how your account is entered.',
    '该操作会更改账号的登录方式，请先验证身份。',
    1030,
  ),
  proofWrong: say('This did not confirm that it is you.', '身份验证未通过。', 1013),
  totpOn: say('One-time codes are already on.', '动态验证码已启用。', 1022),
  totpOff: say('One-time codes are not on.', '动态验证码未启用。', 1000),
  totpNotStarted: say('Set up the authenticator app first.', '请先设置身份验证器。', 1000),
  noSecondFactor: say('Turn on a second factor first.', '请先启用两步验证。', 1000),
  passkeyRefused: say('This passkey could not be confirmed. Please try again.', '通行密钥验证失败，请重试。', 1021),
  passkeyExists: say('This passkey is already in your account.', '该通行密钥已添加到您的账号。', 1022),
  passkeyUnknown: say('This passkey is not in your account.', '您的账号中没有该通行密钥。', 1000),
  tooManyPasskeys: tell<{ max: number }>(
    1022,
    ({ max }) => `An account has at most ${max} passkeys.`,
    ({ max }) => `每个账号最多 ${max} 个通行密钥。`,
  ),
  passkeysUnavailable: say(
    'Passkeys need an address with a name. This portal is reached by a number.',
    '通行密钥需要使用域名访问，当前门户通过 IP 地址访问。',
    1000,
  ),
  lastPasskey: say(
    'This passkey is the only way into the account. Add another way to sign in first.',
    '该通行密钥是登录此账号的唯一方式，请先添加其他登录方式。',
    1028,
  ),
  passkeyMissing: say('Add a passkey first.', '请先添加通行密钥。', 1000),
  sessionUnknown: say('This session has already ended.', '该会话已结束。', 1000),
  operatorSecondFactor: say(
    'The operator area asks for a second factor. Add a passkey or an authenticator app to your account first.',
    '运营后台要求启用两步验证，请先为您的账号添加通行密钥或身份验证器。',
    1035,
  ),
  ownAccount: say(
    'Operators do not change their own account here. Ask another operator.',
    '运营人员不能在此修改自己的账号，请联系其他运营人员。',
    1028,
  ),
  reasonMissing: say('Please give a reason. It goes into the audit log.', '请填写原因，该内容将记入审计日志。', 1001),
  planOfRole: say(
    'A test account is never a VIP, and an enterprise account always is.',
    '测试账号不能设为 VIP，企业账号始终为 VIP。',
    1001,
  ),
  testQuota: tell<{ max: number }>(
    1001,
    ({ max }) => `A test account stores at most ${Math.floor(max / 1048576)} MiB.`,
    ({ max }) => `测试账号的存储空间最大 ${Math.floor(max / 1048576)} MiB。`,
  ),
  mailTextGone: say(
    'The text of this mail is no longer kept, so it cannot be sent again.',
    '该邮件正文已不再保留，无法重新发送。',
    1001,
  ),

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

  walletAddress: say('This is not an address of a wallet of this network.', '该地址不是本网络的钱包地址。', 1001),
  nonceExpired: say(
    'The text that was signed is no longer valid. Please try again.',
    '所签名的内容已失效，请重试。',
    1014,
  ),
  tooManyNonces: say(
    'Too many texts to sign were requested. Try again in a few minutes.',
    '获取签名内容过于频繁，请几分钟后重试。',
    1020,
  ),
  walletSignature: say('The signature is not one of this wallet for this text.', '签名与该钱包或签名内容不符。', 1021),
  walletTaken: say('This wallet belongs to another account.', '该钱包已绑定其他账号。', 1022),
  walletBound: say(
    'The account already has a wallet of this kind. Unbind it first.',
    '账号已绑定同类钱包，请先解绑。',
    1022,
  ),
  /** `hours` that are left, rounded up. */
  walletCooldown: tell<{ hours: number }>(
    1022,
    ({ hours }) =>
      `A wallet was unbound a short while ago. Another one can be bound in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
    ({ hours }) => `刚刚解绑过钱包，请在 ${hours} 小时后重新绑定。`,
  ),
  walletUnknown: say('This wallet is not bound to the account.', '该钱包未绑定到此账号。', 1000),
  lastWayIn: say(
    'This wallet is the only way into the account. Add another way to sign in first.',
    '该钱包是登录此账号的唯一方式，请先添加其他登录方式。',
    1028,
  ),
  identityUnreachable: say(
    'This service cannot be accessed right now. Try again later, or sign in another way.',
    '暂时无法访问该服务，请稍后重试，或使用其他方式登录。',
    1027,
  ),
  identityExpired: say(
    'This sign-in has expired or was used before. Please start again.',
    '本次登录已失效或已使用过，请重新开始。',
    1014,
  ),
  identityEmailTaken: say(
    'There is already an account with the e-mail address of this sign-in. Sign in to that account as usual, then link this service in its security settings.',
    '该登录方式的邮箱已注册账号。请先用原有方式登录该账号，再在安全设置中关联此服务。',
    1011,
  ),
  identityTaken: say('This sign-in belongs to another account.', '该第三方账号已关联其他账号。', 1022),
  identityBound: say(
    'The account already has a sign-in of this service. Unlink it first.',
    '账号已关联该服务的登录，请先解除关联。',
    1022,
  ),
  identityUnknown: say('This service is not linked to the account.', '账号未关联该服务。', 1000),
  identityLastWayIn: say(
    'This is the only way into the account. Add another way to sign in first.',
    '这是登录此账号的唯一方式，请先添加其他登录方式。',
    1028,
  ),
  /** For what an account can do only with a wallet of the chain. */
  needBindKeplr: say('Please bind a wallet to your account first.', '请先为账号绑定钱包。', 2069),
  orderStatus: say('The order is not in a state in which this is possible.', '订单当前状态不支持该操作。', 2068),
  lowerConfiguration: say('Configuration cannot be lower than old configuration', '配置不能低于原配置', 1001),
  sameConfiguration: say('Configuration unchanged', '配置未变更', 1001),
  longestOrder: tell<{ max: number }>(
    2068,
    ({ max }) => `The order already runs for the longest time there is: ${max} hours. Buy it again when it ends.`,
    ({ max }) => `订单时长已达上限 ${max} 小时，请在到期后重新购买。`,
  ),
  renewalShorter: tell<{ hours: number }>(
    1001,
    ({ hours }) => `A renewal is longer than the ${hours} hours that the order has.`,
    ({ hours }) => `续费后的时长须大于当前的 ${hours} 小时。`,
  ),
  tooManyUnpaid: tell<{ max: number }>(
    1020,
    ({ max }) => `You have ${max} orders that wait for their payment. Pay or cancel one of them first.`,
    ({ max }) => `您有 ${max} 个待支付订单，请先支付或取消其中之一。`,
  ),
  hashFormat: say('The hash of a transaction is 64 hex digits.', '交易哈希应为 64 位十六进制字符。', 1001),
  hashUsed: say('This transaction has paid for something else.', '该交易已用于支付其他订单。', 1022),
  clusterUnknown: say('There is no such cluster.', '集群不存在。', 1006),
  /** `reason` in the language of the text. */
  clusterNotReady: tell<{ reason?: string }>(
    1005,
    ({ reason }) => `This cluster sells nothing right now. ${reason ?? ''}`.trim(),
    ({ reason }) => `该集群暂停销售。${reason ?? ''}`,
  ),
  autoRenewImpossible: say('This network cannot renew orders by itself.', '当前网络不支持自动续费。', 2068),
  autoRenewCap: say('Say how many coins all renewals together may cost.', '请设置自动续费的金额上限。', 1001),

  workspaceNotReady: say(
    'This workspace does not run: its order has ended, or it is still being made.',
    '该工作区未运行：订单已结束，或工作区仍在创建中。',
    2068,
  ),
  workspaceFull: say(
    'The workspace has no room for this. Make it smaller, or shrink or remove another workload.',
    '工作区剩余资源不足，请减小规格，或缩小、移除其他应用。',
    2068,
  ),
  workloadUnknown: say('There is no such workload.', '该应用不存在。', 1000),
  workloadStopped: say('The workload does not run. Start it first.', '该应用未运行，请先启动。', 2068),
  workloadName: say(
    'A name has 1 to 30 lower-case letters, digits or hyphens, and begins with a letter.',
    '名称须为 1-30 位小写字母、数字或连字符，并以字母开头。',
    1001,
  ),
  workloadNameTaken: say('There is already a workload with this name.', '应用名称已存在。', 1022),
  tooManyWorkloads: tell<{ max: number }>(
    1022,
    ({ max }) => `A workspace has at most ${max} workloads.`,
    ({ max }) => `每个工作区最多 ${max} 个应用。`,
  ),
  imageName: say(
    'This is not the name of an image, such as nginx or ghcr.io/owner/name:1.0.',
    '镜像名称无效，示例：nginx 或 ghcr.io/owner/name:1.0。',
    1001,
  ),
  registryRefused: tell<{ hosts: string }>(
    1001,
    ({ hosts }) => `Images are taken from these registries: ${hosts}.`,
    ({ hosts }) => `仅支持以下镜像仓库：${hosts}。`,
  ),
  envName: say(
    'Names of variables have letters, digits and underscores. There are at most 50.',
    '环境变量名称只能包含字母、数字和下划线，且最多 50 个。',
    1001,
  ),
  twoPrograms: say('Choose either a template or an image, not both.', '只能选择模板或镜像中的一个。', 1001),
  diskShrinks: say('A disk can be made larger, not smaller.', '磁盘只能扩容，不能缩小。', 1001),
  folderKey: say(
    'This takes an API key of yours that is limited to one folder.',
    '请使用您账号中仅限单个文件夹的 API 密钥。',
    1028,
  ),
  copyTooLarge: say('The folder is larger than the disk of the workload.', '该文件夹大于应用的磁盘空间。', 10004),
  copyTarget: say('This is not the path of a folder.', '目标路径无效。', 1001),
  clusterAway: say(
    'The cluster does not answer right now. What runs there goes on. Please try again in a moment.',
    '集群暂时没有响应，正在运行的应用不受影响，请稍后再试。',
    1004,
  ),

  /** Of everything that needs a chain, where the operator has none. */
  chainAbsent: say(
    'This portal has no chain, so this is not available here.',
    '本站未接入区块链，暂不提供此功能。',
    1004,
  ),
  chainAway: say(
    'The chain does not answer right now. Please try again in a moment.',
    '区块链暂时没有响应，请稍后再试。',
    1004,
  ),

  /** Spec 8: 1008 and 1009 of `receive`, in its words. */
  claimQuota: say('Quota used up', '额度已用完', 1008),
  claimedToday: say('Already claimed', '已领取', 1009),
  claimsOfNetwork: say(
    'Too many claims came from your network today. Try again tomorrow.',
    '您所在的网络今日领取次数过多，请明天再试。',
    1020,
  ),

  /** Where there is a chain, and no coin on it that points are redeemed for. */
  redeemAbsent: say(
    'Points cannot be redeemed on this portal: there is no coin to redeem them for.',
    '本站没有可供兑换的测试币，暂不支持积分兑换。',
    1004,
  ),
  /** Dictionary: user points insufficient. */
  pointsInsufficient: tell<{ points: number }>(
    1024,
    ({ points }) => `User points insufficient: ${points} are left to redeem.`,
    ({ points }) => `用户积分不足，可兑换积分为 ${points}。`,
  ),
  pointsMinimum: tell<{ min: number }>(
    1001,
    ({ min }) => `At least ${min} points are redeemed at once.`,
    ({ min }) => `每次至少兑换 ${min} 积分。`,
  ),

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
  shareLimit: say('Share limit exceeded.', '分享次数超出限制。', 2064),
  downloadQuotaExceeded: say('The owner’s monthly download traffic is used up.', '所有者本月的下载流量已用尽。', 2065),

  quotaExceeded: tell<{ free: number }>(
    10004,
    ({ free }) => `There is not enough storage space left (${Math.floor(free / 1048576)} MiB free).`,
    ({ free }) => `存储空间不足（剩余 ${Math.floor(free / 1048576)} MiB）。`,
  ),
  tooManyUploads: tell<{ max: number }>(
    1020,
    ({ max }) => `Too many uploads are in progress: at most ${max} at once. Wait for some to finish, then try again.`,
    ({ max }) => `同时进行的上传过多，最多 ${max} 个。请等待部分上传完成后重试。`,
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
  shareDownloadsExceeded: say('Access exceeds limits.', '访问次数超出限制。', 10011),
  tokenRejected: say('Authorization failed.', '授权失败。', 10012),
  tooManyKeys: tell<{ max: number }>(
    10013,
    ({ max }) => `An account has at most ${max} API keys.`,
    ({ max }) => `每个账号最多 ${max} 个 API 密钥。`,
  ),
  keyNameTaken: say('There is already an API key with this name.', 'API 密钥名称已存在。', 10014),
  keyUnknown: say('There is no API key with this name.', 'API 密钥不存在。', 10015),
  /** `known`: the permissions that exist. */
  permissionUnknown: tell<{ name: string; known: string }>(
    10016,
    ({ name, known }) => `There is no permission “${name}”. Choose from: ${known}.`,
    ({ name, known }) => `权限“${name}”不存在，可选：${known}。`,
  ),
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
  /** `ahead` in seconds; negative when the node is behind. */
  nodeClock: tell<{ ahead: number }>(
    1021,
    ({ ahead }) =>
      `The clock of the node is ${spanOf(ahead, 'en')} ${ahead > 0 ? 'ahead of' : 'behind'} that of the server. Correct it, preferably with a time service (NTP). Then the node can join.`,
    ({ ahead }) =>
      `节点的时钟比服务器${ahead > 0 ? '快' : '慢'}${spanOf(ahead, 'cn')}。请校准时钟（建议使用时间同步服务），校准后节点即可加入。`,
  ),
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
