import type { Permission } from '../permissions.ts'
import { mebibytes, template, text, traffic } from './entry.ts'

/** Names of permissions as on the page of API keys; a test compares them. */
const PERMISSION_NAMES: Readonly<Record<Permission, readonly [en: string, cn: string]>> = {
  readFile: ['Read file', '读取文件'],
  createFile: ['Upload file', '上传文件'],
  deleteFile: ['Delete file', '删除文件'],
  readFolder: ['Access folder', '访问文件夹'],
  createFolder: ['Create folder', '创建文件夹'],
  deleteFolder: ['Delete folder', '删除文件夹'],
  readDevices: ['Read devices', '读取设备'],
}

/** Accounts, sign-in, second factors, sessions and the operator area. */
export const accounts = {
  /** The refusals with 401 are not an `err`: they become the envelope `{ code: 401 }`. */
  tokenHeader: text(
    'This operation does not read the header “Authorization”. Send the token in “JwtAuthorization: Bearer <session token or API key>”.',
    '此操作不读取请求头 “Authorization”，请用 “JwtAuthorization: Bearer <会话令牌或 API 密钥>” 发送令牌。',
    401,
  ),
  unauthorized: text('Please sign in to continue.', '请先登录。', 401),
  sessionExpired: text('Your session has expired. Please sign in again.', '登录已过期，请重新登录。', 401),
  keyRejected: text(
    'This API key is not valid. It may have been deleted; create another one.',
    '该 API 密钥无效，可能已被删除，请创建新的密钥。',
    401,
  ),
  keyExpired: text(
    'This API key has expired, or was replaced by a newer one. Create or rotate it in the portal.',
    '该 API 密钥已过期或已被新密钥替换，请在门户中创建或轮换密钥。',
    401,
  ),
  accountLocked: text(
    'This account is locked. If you think that this is a mistake, contact us.',
    '该账号已被锁定，如有疑问请联系我们。',
    401,
  ),

  userNotFound: text('This account does not exist.', '账号不存在。', 1002),
  signInFailed: text('The account or the password is wrong.', '账号或密码错误。', 1010),
  signInLocked: template<{ seconds: number }>(
    1020,
    ({ seconds }) => `Too many failed sign-ins. Try again in ${seconds} seconds.`,
    ({ seconds }) => `登录失败次数过多，请在 ${seconds} 秒后重试。`,
  ),
  emailMissing: text('Please enter your e-mail address.', '请输入您的邮箱地址。', 1001),
  emailInvalid: text('Please enter the correct e-mail address.', '请输入正确的邮箱地址。', 1001),
  emailExists: text('This e-mail address is already registered.', '该邮箱已注册。', 1011),
  emailSame: text('Your account already has this e-mail address.', '您的账号已在使用该邮箱。', 1022),
  emailUndoExpired: text(
    'This link has expired or was already used. If you cannot sign in, contact us.',
    '该链接已失效或已使用过。如无法登录，请联系我们。',
    1014,
  ),
  unsubscribeInvalid: text(
    'This link is incomplete or no longer valid. Sign in and change your notifications in the portal.',
    '链接不完整或已失效，请登录门户修改通知设置。',
    1001,
  ),
  nameNotExists: text('There is no account with this e-mail address.', '该邮箱未注册。', 1012),
  incomplete: text('Please fill in the complete information.', '请填写完整信息。', 1001),
  passwordCharacters: text(
    'The password must not contain Chinese or blank characters.',
    '密码不能包含中文或空白字符。',
    1001,
  ),
  passwordLength: template<{ min: number; max: number }>(
    1001,
    ({ min, max }) => `The password must have ${min} to ${max} characters.`,
    ({ min, max }) => `密码长度为 ${min}-${max} 个字符。`,
  ),
  passwordWeak: text('This password is too common. Please choose another one.', '该密码过于常见，请更换。', 1001),

  invalidCode: text('The verification code is wrong.', '验证码错误。', 1013),
  codeExpired: text('The verification code has expired. Please request a new one.', '验证码已失效，请重新获取。', 1014),
  codeLocked: template<{ seconds: number }>(
    1014,
    ({ seconds }) => `Too many wrong codes. Try again in ${seconds} seconds.`,
    ({ seconds }) => `验证码错误次数过多，请在 ${seconds} 秒后重试。`,
  ),
  codeKind: text('This kind of verification code is not supported.', '不支持该类型的验证码。', 1015),
  codeTooSoon: template<{ seconds: number }>(
    1020,
    ({ seconds }) => `A code was just sent. Request another one in ${seconds} seconds.`,
    ({ seconds }) => `验证码已发送，请在 ${seconds} 秒后重新获取。`,
  ),
  tooManyCodes: text(
    'Too many codes were requested today. Try again tomorrow.',
    '今日获取验证码次数过多，请明天再试。',
    1020,
  ),

  secondFactorNeeded: text('Confirm the sign-in with your second factor.', '请完成两步验证以继续登录。', 1029),
  secondFactorWrong: text('The second factor could not be verified. Please try again.', '验证未通过，请重试。', 1013),
  secondFactorLocked: template<{ seconds: number }>(
    1020,
    ({ seconds }) => `Too many failed attempts with the second factor. Try again in ${seconds} seconds.`,
    ({ seconds }) => `两步验证尝试次数过多，请在 ${seconds} 秒后重试。`,
  ),
  signInExpired: text('This sign-in has expired. Please sign in again.', '本次登录已失效，请重新登录。', 1014),
  recentAuthRequired: text(
    'This changes how you sign in. Please verify your identity first.',
    '该操作会更改账号的登录方式，请先验证身份。',
    1030,
  ),
  recentAuthFailed: text('Your identity could not be verified. Please try again.', '身份验证未通过，请重试。', 1013),
  totpOn: text('One-time codes are already turned on.', '动态验证码已启用。', 1022),
  totpOff: text('One-time codes are not turned on.', '动态验证码未启用。', 1000),
  totpNotStarted: text('Set up the authenticator app first.', '请先设置身份验证器。', 1000),
  noSecondFactor: text('Turn on a second factor first.', '请先启用两步验证。', 1000),
  passkeyRefused: text('This passkey could not be verified. Please try again.', '通行密钥验证失败，请重试。', 1021),
  passkeyExists: text('This passkey is already in your account.', '该通行密钥已添加到您的账号。', 1022),
  passkeyUnknown: text('This passkey is not in your account.', '您的账号中没有该通行密钥。', 1000),
  passkeyMissing: text('Add a passkey first.', '请先添加通行密钥。', 1000),
  tooManyPasskeys: template<{ max: number }>(
    1022,
    ({ max }) => `An account can have at most ${max} passkeys. Remove one first.`,
    ({ max }) => `每个账号最多 ${max} 个通行密钥，请先删除不用的通行密钥。`,
  ),
  passkeysUnavailable: text(
    'Passkeys need a domain name, and this portal is opened by its IP address.',
    '通行密钥需要使用域名访问，当前门户通过 IP 地址访问。',
    1000,
  ),
  lastPasskey: text(
    'This passkey is your only way to sign in. Add another sign-in method first.',
    '该通行密钥是登录此账号的唯一方式，请先添加其他登录方式。',
    1028,
  ),
  sessionUnknown: text('This session has already ended.', '该会话已结束。', 1000),

  identityUnreachable: text(
    'This service cannot be accessed right now. Try again later, or use another sign-in method.',
    '暂时无法访问该服务，请稍后重试，或使用其他方式登录。',
    1027,
  ),
  identityExpired: text(
    'This sign-in has expired or was already used. Please start again.',
    '本次登录已失效或已使用过，请重新开始。',
    1014,
  ),
  identityEmailTaken: text(
    'An account with the e-mail address of this sign-in already exists. Sign in to that account as usual, then link this service in its security settings.',
    '该登录方式的邮箱已注册账号。请先用原有方式登录该账号，再在安全设置中关联此服务。',
    1011,
  ),
  identityTaken: text('This sign-in is linked to another account.', '该第三方账号已关联其他账号。', 1022),
  identityAlreadyLinked: text(
    'Another sign-in of this service is already linked to your account. Unlink it first.',
    '账号已关联该服务的登录，请先解除关联。',
    1022,
  ),
  identityUnknown: text('This service is not linked to your account.', '账号未关联该服务。', 1000),
  lastIdentity: text(
    'This is your only way to sign in. Add another sign-in method first.',
    '这是登录此账号的唯一方式，请先添加其他登录方式。',
    1028,
  ),

  accountClosing: text(
    'This account will be deleted, so it accepts no uploads. Keep the account to upload again.',
    '该账号即将删除，不能上传。保留账号后即可继续上传。',
    1028,
  ),
  closingRole: text(
    'Operators and agents cannot delete their account. Ask another operator to change your role first.',
    '运营人员和客服不能删除自己的账号，请先由其他运营人员更改您的角色。',
    1028,
  ),
  closingConfirm: text('What you typed does not match.', '输入的内容不一致。', 1001),
  closingObligations: text(
    'Something is not finished yet: an order, an exchange, a payout, or a team without another owner. Finish it first, so that nothing is lost.',
    '仍有未完成的订单、兑换、发放，或没有其他所有者的团队，请先处理，以免造成损失。',
    1028,
  ),
  closingPoints: template<{ points: number }>(
    1028,
    ({ points }) => `You have ${points} points. Redeem them first, or agree to give them up.`,
    ({ points }) => `您还有 ${points} 积分，请先兑换，或确认放弃。`,
  ),
  closingNone: text('This account is not scheduled for deletion.', '该账号未申请删除。', 1000),
  operatorSecondFactor: text(
    'The operator area requires a second factor. Add a passkey or an authenticator app to your account first.',
    '运营后台要求启用两步验证，请先为您的账号添加通行密钥或身份验证器。',
    1035,
  ),
  ownAccount: text(
    'Operators cannot change their own account here. Ask another operator.',
    '运营人员不能在此修改自己的账号，请联系其他运营人员。',
    1028,
  ),
  reasonMissing: text(
    'Please enter a reason. It is recorded in the audit log.',
    '请填写原因，该内容将记入审计日志。',
    1001,
  ),
  planOfRole: text(
    'The role decides this: test accounts cannot be VIP, and enterprise accounts always are.',
    '测试账号不能设为 VIP，企业账号始终为 VIP。',
    1001,
  ),
  testQuota: template<{ max: number }>(
    1001,
    ({ max }) => `A test account can store at most ${mebibytes(max)} MiB.`,
    ({ max }) => `测试账号的存储空间最大 ${mebibytes(max)} MiB。`,
  ),
  mailTextGone: text(
    'The text of this e-mail has been deleted, so it cannot be sent again.',
    '该邮件正文已被删除，无法重新发送。',
    1001,
  ),

  tooManyKeys: template<{ max: number }>(
    10013,
    ({ max }) => `An account can have at most ${max} API keys. Delete one first.`,
    ({ max }) => `每个账号最多 ${max} 个 API 密钥，请先删除不用的密钥。`,
  ),
  tooManyWebhooks: template<{ max: number }>(
    10013,
    ({ max }) => `An account can have at most ${max} webhooks. Delete one first.`,
    ({ max }) => `每个账号最多 ${max} 个 Webhook，请先删除不用的 Webhook。`,
  ),
  webhookUnknown: text('There is no such webhook in your account.', '您的账号中没有该 Webhook。', 1000),
  webhookUrl: text(
    'The URL must start with https://, contain no user name or password, use port 443 or one above 1023, and lead to a public address.',
    '地址须以 https:// 开头，不含用户名或密码，使用 443 或 1023 以上的端口，且指向公网地址。',
    1001,
  ),
  webhookEvents: text('Choose at least one event.', '请至少选择一个事件。', 1001),
  webhookDisabled: text('The webhook is disabled. Enable it first.', 'Webhook 已停用，请先启用。', 1000),
  keyNameTaken: text('An API key with this name already exists.', 'API 密钥名称已存在。', 10014),
  keyUnknown: text('There is no API key with this name.', 'API 密钥不存在。', 10015),
  /** `known`: the permissions that exist. */
  permissionUnknown: template<{ name: string; known: string }>(
    10016,
    ({ name, known }) => `There is no permission “${name}”. Choose from: ${known}.`,
    ({ name, known }) => `权限“${name}”不存在，可选：${known}。`,
  ),
  keyExpiry: text(
    'The expiry of an API key must be a date and time in the future.',
    'API 密钥的到期时间必须晚于当前时间。',
    1001,
  ),
  keyIps: template<{ text: string }>(
    1001,
    ({ text }) => `“${text}” is not an IP address or range. Examples: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32.`,
    ({ text }) => `“${text}”不是 IP 地址或网段。示例：203.0.113.7、203.0.113.0/24、2001:db8::/32。`,
  ),
  tooManyKeyIps: template<{ max: number }>(
    1001,
    ({ max }) => `An API key can have at most ${max} IP addresses and ranges.`,
    ({ max }) => `每个 API 密钥最多 ${max} 个 IP 地址或网段。`,
  ),
  tooManyFormerKeys: template<{ max: number }>(
    10013,
    ({ max }) => `${max} replaced versions of this API key still work. Stop them first, or rotate without an overlap.`,
    ({ max }) => `该 API 密钥已有 ${max} 个被替换的版本仍有效，请先停用它们，或不设重叠期直接轮换。`,
  ),
  /** `ip`: the caller's address. */
  keyAddress: template<{ ip: string }>(
    1028,
    ({ ip }) => `This API key cannot be used from ${ip}. Add this address to the key’s list of IP addresses.`,
    ({ ip }) => `该 API 密钥不能在 ${ip} 上使用，请将此地址加入密钥的 IP 列表。`,
  ),
  s3Signature: text(
    'The access key ID is unknown, or the signature does not match. Check both, and the secret access key.',
    'Access Key ID 不存在或签名不匹配，请检查 Access Key ID 和 Secret Access Key。',
    1021,
  ),
  s3Clock: text(
    'The time of the signature is too far from the server’s. Check the clock of the computer that signed.',
    '签名时间与服务器时间相差过大，请检查签名设备的时钟。',
    1014,
  ),
  s3KeyEnded: text(
    'The API key of this S3 access key has expired, or its account cannot be used.',
    '该 S3 访问密钥所属的 API 密钥已过期，或所属账号不可用。',
    1028,
  ),
  keyPermission: template<{ permission: Permission }>(
    1028,
    ({ permission }) =>
      `This API key does not have the permission “${PERMISSION_NAMES[permission][0]}” (${permission}). Its owner can add it on the page of API keys.`,
    ({ permission }) =>
      `该 API 密钥没有“${PERMISSION_NAMES[permission][1]}”权限（${permission}），所有者可在 API 密钥页面添加。`,
  ),
  keyAdmin: text(
    'This needs an API key of the type “Admin”, with full access, or a person who is signed in.',
    '此操作需要“管理员”类型的 API 密钥，或登录后执行。',
    1028,
  ),
  keyCapped: text(
    'An API key with a cap of traffic cannot import or pin, because the network fetches the files for the account. Use a key without that cap.',
    '设有流量上限的 API 密钥不能导入或固定内容，因为文件由网络为账号获取。请使用未设流量上限的密钥。',
    1028,
  ),
  keyCannotOrder: text(
    'This API key has no cap of spending, so it cannot order. Its owner can set one on the page of API keys.',
    '该 API 密钥未设消费上限，不能下单。所有者可在 API 密钥页面设置。',
    1028,
  ),
  keyMissing: text(
    'Send an API key in the header “Authorization: Bearer <key>”. The page of API keys in the portal creates one.',
    '请在请求头 “Authorization: Bearer <密钥>” 中发送 API 密钥。可在门户的 API 密钥页面创建。',
    401,
  ),
  keyFolders: text(
    'This API key is limited to folders, and cannot do this.',
    '该 API 密钥仅限部分文件夹使用，不能执行此操作。',
    1028,
  ),
  tooManyKeyFolders: template<{ max: number }>(
    1001,
    ({ max }) => `An API key can be limited to at most ${max} folders.`,
    ({ max }) => `每个 API 密钥最多限定 ${max} 个文件夹。`,
  ),
  /** `free`: bytes. */
  keyTraffic: template<{ free: number }>(
    2160,
    ({ free }) =>
      `This transfer is larger than what is left of the monthly traffic of the API key (${traffic(free)}). Transfers that have begun count with their full size. The owner can raise the cap on the page of API keys.`,
    ({ free }) =>
      `该 API 密钥本月的剩余流量（${traffic(free)}）不足以完成此次传输；已开始的传输按全部大小计入。所有者可在 API 密钥页面提高流量上限。`,
  ),
  /** `cap`, `left`: coins. */
  keySpending: template<{ cap: number; left: number }>(
    2161,
    ({ cap, left }) =>
      `This API key may order for at most ${cap} TNT a month, of which ${left} are left. The owner can raise the cap on the page of API keys.`,
    ({ cap, left }) => `该 API 密钥每月最多可下单 ${cap} TNT，本月剩余 ${left} TNT。所有者可在 API 密钥页面提高上限。`,
  ),
  keyPermissions: text('Choose at least one permission for the API key.', '请至少选择一个权限。', 10016),
}
