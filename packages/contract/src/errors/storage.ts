import { formatDuration, mebibytes, template, text } from './entry.ts'

/** Files, folders, shares, transfers and storage nodes. */
export const storage = {
  badCid: text('This is not a valid content ID (CID).', '内容标识（CID）无效。', 1001),
  fileAndFolder: text('Specify either a file or a folder, not both.', '只能指定文件或文件夹中的一个。', 1001),
  tooManyAreas: template<{ max: number }>(
    1001,
    ({ max }) => `At most ${max} areas can be chosen.`,
    ({ max }) => `最多选择 ${max} 个区域。`,
  ),
  accelerationPlan: text(
    'Delivery acceleration is part of the VIP and enterprise plans.',
    '分发加速仅适用于 VIP 和企业套餐。',
    2110,
  ),
  tooManyAccelerated: template<{ max: number }>(
    2111,
    ({ max }) =>
      `At most ${max} files and folders can be accelerated. Accelerate a folder, or turn it off for some first.`,
    ({ max }) => `最多可加速 ${max} 个文件和文件夹。请改为加速整个文件夹，或先关闭部分加速。`,
  ),
  assetExists: text('This file is already in your storage.', '该文件已存在于您的存储中。', 1017),
  nameTaken: template<{ name: string }>(
    10031,
    ({ name }) => `The folder already contains “${name}”.`,
    ({ name }) => `该文件夹中已有“${name}”。`,
  ),
  assetUnknown: text('The file does not exist.', '文件不存在。', 10028),
  contentBlocked: text(
    'The operators have blocked this content because of a report. If it is yours and that is a mistake, object under “Blocked files” in the portal.',
    '该内容因举报已被运营人员屏蔽。如果这是您的内容且您认为有误，请在门户的“被屏蔽的文件”中提出异议。',
    2067,
  ),
  reportTarget: text(
    'Enter the link or the CID of what you report, with at most 2,000 characters.',
    '请填写要举报的链接或 CID，最多 2000 个字符。',
    1001,
  ),
  objectionAnswered: text(
    'The operators have answered your objection. If there is something new, write to support.',
    '运营人员已答复您的异议。如有新的情况，请联系客服。',
    1028,
  ),
  importUrl: text(
    'Enter an http or https address on the public internet, without a user name and password in it.',
    '请填写公网上的 http 或 https 地址，且不包含用户名和密码。',
    2171,
  ),
  importNotOffered: text(
    'This network does not offer this kind of import at the moment. Ask its operator.',
    '本网络目前不提供此类导入，请联系运营方。',
    2172,
  ),
  tooManyImports: template<{ max: number; perDay: number }>(
    2173,
    ({ max, perDay }) =>
      `At most ${max} imports can wait or run at the same time, and ${perDay} begin or be retried in a day. Wait until some have ended.`,
    ({ max, perDay }) => `最多同时有 ${max} 个导入在等待或进行，每天最多发起 ${perDay} 个。请等待部分导入结束。`,
  ),
  importSecret: text(
    'The secret of the other S3 was forgotten when the import ended. Enter it again.',
    '导入结束后已清除对方 S3 的密钥，请重新填写。',
    2174,
  ),
  fileExpired: text('The file has expired.', '文件已过期。', 10028),
  emptyFile: text('The file is empty. A file must be larger than 0 bytes.', '文件为空，文件大小必须大于 0。', 10030),
  folderUnknown: text('This folder does not exist.', '文件夹不存在。', 10018),
  folderNotEmpty: text('The folder is not empty.', '文件夹不为空。', 10017),
  folderEncrypted: text(
    'This folder is encrypted, and the file is not. Upload the file into the folder; it is then encrypted before it is sent.',
    '该文件夹已加密，而此文件未加密。请将文件重新上传到该文件夹，上传前会自动加密。',
    2120,
  ),
  vaultMissing: text('Set up encryption for your account first.', '请先为您的账号设置加密。', 2121),
  vaultExists: text('Your account already has a vault.', '您的账号已设置加密。', 2122),
  vaultChanged: text('The vault was replaced in the meantime. Unlock it again.', '加密密钥已更换，请重新解锁。', 2123),
  vaultWays: text(
    'The recovery kit and at least one other way to unlock must exist. Add another one first.',
    '必须保留恢复套件和至少一种其他解锁方式，请先添加其他方式。',
    2124,
  ),
  vaultWayUnknown: text('This way to unlock no longer exists.', '该解锁方式已不存在。', 2125),
  vaultWrap: text(
    'This is not the key of a vault, encrypted with age in the way that its kind needs.',
    '内容不是按该方式用 age 加密的密钥。',
    1001,
  ),
  badThumbnail: text(
    'A thumbnail is a WebP or JPEG image of at most 512 × 512 px and 24 KiB; that of an encrypted file is encrypted with age for its vault.',
    '缩略图须为不超过 512 × 512 像素、24 KiB 的 WebP 或 JPEG 图片；加密文件的缩略图须用 age 加密。',
    1001,
  ),
  tooManyVaultWays: template<{ max: number }>(
    2126,
    ({ max }) => `There can be at most ${max} ways to unlock. Remove one first.`,
    ({ max }) => `最多 ${max} 种解锁方式，请先删除一种。`,
  ),
  vaultInUse: text(
    'There are still encrypted files or folders. Without the vault, nobody can open files that were encrypted with it.',
    '仍有已加密的文件或文件夹。删除加密密钥后，用它加密的文件将无人能够打开。',
    2127,
  ),
  tooManyFolders: template<{ max: number }>(
    10019,
    ({ max }) => `An account can have at most ${max} folders. Delete one first.`,
    ({ max }) => `每个账号最多 ${max} 个文件夹，请先删除不用的文件夹。`,
  ),
  moveIntoSelf: text(
    'A folder cannot be moved into itself or its subfolders.',
    '不能将文件夹移动到其自身或子文件夹中。',
    10020,
  ),
  moveRoot: text('The root folder cannot be moved.', '根目录不能移动。', 10021),
  moveSame: text('The item is already in this folder.', '该内容已在此文件夹中。', 10022),
  quotaExceeded: template<{ free: number }>(
    10004,
    ({ free }) =>
      `There is not enough storage space left (${mebibytes(free)} MiB free). Delete files or versions that you do not need.`,
    ({ free }) => `存储空间不足（剩余 ${mebibytes(free)} MiB），请删除不需要的文件或历史版本。`,
  ),

  shortPassFormat: text(
    'The access password must be exactly 6 letters or digits.',
    '提取码须为 6 位字母或数字。',
    1001,
  ),
  expiryPast: text('The expiry must be in the future.', '有效期必须晚于当前时间。', 1001),
  tempUploads: text('This file has been shared anonymously too many times.', '该匿名文件的分享次数已达上限。', 2056),
  tempDownloads: text('This anonymous file has reached its download limit.', '该匿名文件的下载次数已达上限。', 2057),
  shareExpired: text('This share has expired.', '分享已过期。', 2058),
  sharePassRequired: text('This share requires an access password.', '请输入提取码。', 2059),
  sharePassWrong: text('The access password is wrong.', '提取码错误。', 2060),
  sharePassLocked: template<{ seconds: number }>(
    2060,
    ({ seconds }) => `Too many wrong passwords. Try again in ${seconds} seconds.`,
    ({ seconds }) => `提取码错误次数过多，请在 ${seconds} 秒后重试。`,
  ),
  linkEmailRequired: text(
    'Only certain e-mail addresses can open this link. Confirm yours.',
    '该链接仅限指定邮箱打开，请验证您的邮箱。',
    2130,
  ),
  tooManyLinkEmails: template<{ max: number }>(
    1001,
    ({ max }) => `A link can have at most ${max} e-mail addresses.`,
    ({ max }) => `每个链接最多可指定 ${max} 个邮箱。`,
  ),
  uploadLinkTarget: text(
    'An upload link needs a folder that is not encrypted, and limits for files and bytes. Other links cannot become upload links: create a new one.',
    '上传链接须指向未加密的文件夹，并设定文件数和容量上限。其他链接不能改为上传链接，请新建。',
    1001,
  ),
  uploadLinkEnded: text(
    'This link has changed or no longer accepts files. Open it again.',
    '该链接已更改或不再接收文件，请重新打开。',
    2131,
  ),
  uploadLinkFull: text(
    'This link accepts no more files of this size. Ask its owner.',
    '该链接无法再接收这个大小的文件，请联系所有者。',
    2132,
  ),
  linkExists: text('This item already has a share link.', '该内容已有分享链接。', 2061),
  tooManyLinks: template<{ max: number }>(
    2112,
    ({ max }) => `An account can have at most ${max} short links. Revoked ones count for 30 days.`,
    ({ max }) => `每个账号最多 ${max} 个短链接，已撤销的链接在 30 天内仍计入。`,
  ),
  linkNotYours: text('This link belongs to another account.', '该链接不属于您。', 2062),
  userIdMissing: text('The account that owns the file is missing (user_id).', '缺少文件所有者的用户标识。', 2063),
  shareLimit: text('Share limit exceeded.', '分享次数超出限制。', 2064),
  shareDownloadsExceeded: text('Access exceeds limits.', '访问次数超出限制。', 10011),
  downloadQuotaExceeded: text('The owner’s monthly download traffic is used up.', '所有者本月的下载流量已用尽。', 2065),
  visitorTrafficUsedUp: text(
    'Visitors from your network have used up today’s download traffic for files of this account. Try again in a day.',
    '您所在网络今天可从该账号下载的流量已用尽，请一天后再试。',
    2066,
  ),

  publicationEncrypted: text(
    'Encrypted files cannot be published: nobody else could read them.',
    '加密的文件不能公开发布：其他人无法读取。',
    2175,
  ),
  publicationUnproven: text(
    'Only files whose bytes this account sent itself can be published. Upload the file again, then publish it.',
    '只能公开发布本账号实际上传过的文件。请重新上传该文件后再发布。',
    2176,
  ),
  tooManyPublications: template<{ max: number }>(
    2177,
    ({ max }) => `An account can publish at most ${max} files and folders. Unpublish some first.`,
    ({ max }) => `每个账号最多公开发布 ${max} 个文件和文件夹，请先取消发布一部分。`,
  ),

  folderUnpublishable: template<{ max: number }>(
    2185,
    ({ max }) =>
      `A folder can be published with 1 to ${max} files, at most 100 levels deep. Publish its subfolders one by one.`,
    ({ max }) => `仅可公开发布含 1 至 ${max} 个文件、层级不超过 100 的文件夹。请分别发布其子文件夹。`,
  ),

  noArea: text('No storage node is available in this area right now.', '该区域暂无可用的存储节点。', 1005),
  tooManyUploads: template<{ max: number }>(
    1020,
    ({ max }) => `At most ${max} uploads can be in progress at once. Wait for some to finish, then try again.`,
    ({ max }) => `同时进行的上传过多，最多 ${max} 个。请等待部分上传完成后重试。`,
  ),
  tempTooLarge: template<{ max: number }>(
    10004,
    ({ max }) => `Without an account, a file can have at most ${mebibytes(max)} MiB.`,
    ({ max }) => `未登录时文件最大 ${mebibytes(max)} MiB。`,
  ),
  uploadTooLarge: template<{ max: number }>(
    10004,
    ({ max }) => `The upload is larger than the ${max} bytes allowed.`,
    ({ max }) => `上传内容超过了允许的 ${max} 字节。`,
  ),
  fileFieldMissing: text(
    'The request body must be multipart/form-data with a field "file".',
    '请求体须为 multipart/form-data，并包含字段 "file"。',
    1001,
  ),
  nodeFull: text(
    'This node does not have enough free space. Please try another one.',
    '该节点空间不足，请换一个节点上传。',
    10008,
  ),
  nodeBusy: text('This node is busy. Please try again in a moment.', '该节点正忙，请稍后再试。', 10008),
  noNode: text(
    'No storage node is available right now. Please try again in a moment.',
    '暂无可用的存储节点，请稍后再试。',
    10008,
  ),
  nodesOffline: text('All storage nodes that hold this file are offline.', '存储该文件的节点均已离线。', 10025),
  contentRestoring: text(
    'No storage node has this file right now. It is being fetched back from a third-party replica. Try again in a few minutes.',
    '目前没有存储节点持有该文件，正在从第三方副本取回，请几分钟后重试。',
    10025,
  ),
  tokenRejected: text('Authorization failed.', '授权失败。', 10012),
  proofFailed: text(
    'The proof of possession is wrong. Please upload the file.',
    '文件持有证明不符，请上传文件。',
    10027,
  ),

  deviceUnknown: text('There is no such device.', '没有这台设备。', 1007),
  deviceBound: text('This device already has an owner.', '该设备已有所有者。', 1025),
  ownerCodeUnknown: text(
    'This owner code is not valid or has expired. Get a new one on the page “My devices”.',
    '关联码无效或已过期，请在“我的设备”页面重新获取。',
    1026,
  ),
  nodeSignature: text('The node’s signature is not valid.', '节点签名无效。', 1021),
  /** `ahead` in seconds; negative when the node is behind. */
  nodeClock: template<{ ahead: number }>(
    1021,
    ({ ahead }) =>
      `The node’s clock is ${formatDuration(ahead, 'en')} ${ahead > 0 ? 'ahead of' : 'behind'} the server’s. Correct it, preferably with a time service (NTP); the node then tries again by itself.`,
    ({ ahead }) =>
      `节点的时钟比服务器${ahead > 0 ? '快' : '慢'}${formatDuration(ahead, 'cn')}。请校准时钟（建议使用时间同步服务），校准后节点会自动重试。`,
  ),
  tooManyEdges: template<{ max: number; seconds: number }>(
    1020,
    ({ max, seconds }) =>
      `Too many new edge nodes have joined from this network: at most ${max} can join in a day. Try again in ${formatDuration(seconds, 'en')}. Nodes that joined earlier are not affected. The operators of the server can raise the limit.`,
    ({ max, seconds }) =>
      `该网段新加入的边缘节点过多，一天最多 ${max} 个。请在${formatDuration(seconds, 'cn')}后重试。此前已加入的节点不受影响。运营人员可以调高该上限。`,
  ),
  zoneMissing: text(
    'This network has no names for nodes. Its operator can set TIDENET_ZONE and TIDENET_ACME on the server.',
    '该网络没有为节点提供域名。运营者可在服务器上设置 TIDENET_ZONE 和 TIDENET_ACME。',
    2140,
  ),
  certificateRequest: template<{ name: string }>(
    2141,
    ({ name }) =>
      `The certificate request must be signed with its own P-256 key and name exactly ${name}. Update the node and start it again.`,
    ({ name }) => `证书请求须由其自身的 P-256 密钥签名，且域名只能是 ${name}。请更新节点程序后重新启动。`,
  ),
  tooManyCertificates: template<{ max: number; seconds: number }>(
    2142,
    ({ max, seconds }) =>
      `A node gets at most ${max} certificates a day. Keep its data folder, and try again in ${formatDuration(seconds, 'en')}.`,
    ({ max, seconds }) =>
      `每个节点每天最多签发 ${max} 张证书。请保留其数据目录，并在${formatDuration(seconds, 'cn')}后重试。`,
  ),
  certificateReplayed: text(
    'This certificate request was used before, or is older than the last one. If the clock was set back, correct it; otherwise ask again.',
    '该证书请求已使用过，或早于上一次请求。如果时钟被回拨，请校准时钟；否则请重新请求。',
    2144,
  ),
  relayRefused: text(
    'Only candidates and validators can be relays. Remove TIDENET_NODE_RELAY, or start the node with a join token.',
    '只有候选节点和验证节点可以作为中继。请删除 TIDENET_NODE_RELAY，或使用接入令牌启动节点。',
    2143,
  ),
  notContained: text(
    'These blocks do not prove that the content contains a blocked one. Verify the data folder of the node.',
    '这些数据块不能证明该内容包含被屏蔽的内容。请检查节点的数据目录。',
    1028,
  ),
  inventoryTooLarge: template<{ max: number }>(
    1020,
    ({ max }) =>
      `The inventory has too many contents: at most ${max} are compared at a time. Delete those that are not wanted, then send it again.`,
    ({ max }) => `内容清单过长，一次最多核对 ${max} 项。请先删除不需要的内容，然后重新发送。`,
  ),
  joinRefused: text('Nodes of this kind need a valid join token.', '该类型节点需要有效的加入令牌。', 1028),
}
