import { problemOf } from '@tidenet/chain-client'
import { type ErrorKey, errors, errorText } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { problemTexts } from '../../apps/server/src/payments/orders/texts.ts'
import { texts as accountEn } from '../../apps/web/src/features/account/texts.en.ts'
import { texts as accountZh } from '../../apps/web/src/features/account/texts.zh.ts'
import { texts as accountsEn } from '../../apps/web/src/features/accounts/texts.en.ts'
import { texts as accountsZh } from '../../apps/web/src/features/accounts/texts.zh.ts'
import { texts as downloadEn } from '../../apps/web/src/features/download/texts.en.ts'
import { texts as downloadZh } from '../../apps/web/src/features/download/texts.zh.ts'
import { texts as exchangeEn } from '../../apps/web/src/features/exchange/texts.en.ts'
import { texts as exchangeZh } from '../../apps/web/src/features/exchange/texts.zh.ts'
import { texts as identitiesEn } from '../../apps/web/src/features/external-sign-in/texts.en.ts'
import { texts as identitiesZh } from '../../apps/web/src/features/external-sign-in/texts.zh.ts'
import { texts as filesEn } from '../../apps/web/src/features/files/texts.en.ts'
import { texts as filesZh } from '../../apps/web/src/features/files/texts.zh.ts'
import { texts as keysEn } from '../../apps/web/src/features/keys/texts.en.ts'
import { texts as keysZh } from '../../apps/web/src/features/keys/texts.zh.ts'
import { texts as ordersEn } from '../../apps/web/src/features/orders/texts.en.ts'
import { texts as ordersZh } from '../../apps/web/src/features/orders/texts.zh.ts'
import { texts as redirectEn } from '../../apps/web/src/features/redirect/texts.en.ts'
import { texts as redirectZh } from '../../apps/web/src/features/redirect/texts.zh.ts'
import { texts as rewardsEn } from '../../apps/web/src/features/rewards/texts.en.ts'
import { texts as rewardsZh } from '../../apps/web/src/features/rewards/texts.zh.ts'
import { texts as consoleEn } from '../../apps/web/src/features/shell/console-texts.en.ts'
import { texts as consoleZh } from '../../apps/web/src/features/shell/console-texts.zh.ts'
import { texts as menusEn } from '../../apps/web/src/features/shell/menu-texts.en.ts'
import { texts as menusZh } from '../../apps/web/src/features/shell/menu-texts.zh.ts'
import { texts as tokensEn } from '../../apps/web/src/features/tokens/texts.en.ts'
import { texts as tokensZh } from '../../apps/web/src/features/tokens/texts.zh.ts'
import { texts as transcriptionEn } from '../../apps/web/src/features/transcription/texts.en.ts'
import { texts as transcriptionZh } from '../../apps/web/src/features/transcription/texts.zh.ts'
import { texts as transfersEn } from '../../apps/web/src/features/transfers/texts.en.ts'
import { texts as transfersZh } from '../../apps/web/src/features/transfers/texts.zh.ts'
import { en } from '../../apps/web/src/locales/en.ts'
import { texts as pagesEn } from '../../apps/web/src/locales/pages.en.ts'
import { texts as pagesZh } from '../../apps/web/src/locales/pages.zh.ts'
import { zh } from '../../apps/web/src/locales/zh.ts'
import { catalogue, codes, codeText } from '../../packages/sdk/src/codes.ts'

/** Texts that the specification gives, literally. Other tests do not depend on wording. */

/** The texts of the portal, and the expected ones. */
type Row = readonly [shown: readonly [en: string, zh: string], en: string, zh: string]

const portal: Row[] = [
  // Section 2: header, footer, side menu.
  [[en.menus.userNetwork, zh.menus.userNetwork], 'User Network', '用户网络'],
  [[en.menus.webServices, zh.menus.webServices], 'Web Services', '网络服务'],
  [[en.pages.learn, zh.pages.learn], 'Learn', '学习'],
  [[en.menus.docs, zh.menus.docs], 'Docs', '文档'],
  [[en.menus.download, zh.menus.download], 'Download', '下载'],
  [[en.shell.signIn, zh.shell.signIn], 'Login', '登录'],
  [[en.shell.dashboard, zh.shell.dashboard], 'Dashboard', '概览'],
  [[pagesEn.extension, pagesZh.extension], 'Browser extension', '浏览器扩展'],
  [[menusEn.desktopTitle, menusZh.desktopTitle], 'Desktop app', '桌面应用'],
  [[pagesEn.introduction, pagesZh.introduction], 'What is the network', '网络是什么'],
  [[menusEn.basicsTitle, menusZh.basicsTitle], 'Basics', '基础知识'],
  [[menusEn.newsTitle, menusZh.newsTitle], 'News', '动态'],
  [[menusEn.casesTitle, menusZh.casesTitle], 'Cases', '案例'],
  [[en.footer.blog, zh.footer.blog], 'Blog', '博客'],
  [[en.footer.whitepaper, zh.footer.whitepaper], 'Whitepaper', '白皮书'],
  [[en.footer.support, zh.footer.support], 'Chat and support', '在线支持'],
  [[en.footer.contact, zh.footer.contact], 'Contact us', '联系我们'],
  [[consoleEn.claim, consoleZh.claim], 'Claim test coin', '领取测试币'],
  [[consoleEn.use, consoleZh.use], 'Use resources', '使用资源'],
  [[consoleEn.buy, consoleZh.buy], 'Buy resources', '购买资源'],
  [[downloadEn.states.later, downloadZh.states.later], 'Coming soon', '即将推出'],
  // Section 2, my center.
  [[ordersEn.use.filters.all, ordersZh.use.filters.all], 'All', '全部'],
  [[ordersEn.use.filters.running, ordersZh.use.filters.running], 'Running', '运行中'],
  [[ordersEn.use.filters.expired, ordersZh.use.filters.expired], 'Expired', '已到期'],
  [[ordersEn.use.filters.terminated, ordersZh.use.filters.terminated], 'Terminated', '已终止'],
  [[ordersEn.use.inService, ordersZh.use.inService], 'In service', '服务中'],
  [[ordersEn.buy.now, ordersZh.buy.now], 'Buy Now', '立即购买'],
  [[ordersEn.regions.distributed, ordersZh.regions.distributed], 'Distributed cluster', '分布式集群'],
  [[ordersEn.regions.centralized, ordersZh.regions.centralized], 'Centralized cluster', '中心化集群'],
  [[ordersEn.password.password, ordersZh.password.password], 'Initial password', '初始密码'],
  // Section 3.
  [[ordersEn.use.bought, ordersZh.use.bought], 'Purchase date', '购买时间'],
  [[ordersEn.use.hash, ordersZh.use.hash], 'On-chain hash', '链上哈希'],
  [[filesEn.details.formatPlain, filesZh.details.formatPlain], 'Unencrypted', '未加密'],
  [[keysEn.page.permission.readFile, keysZh.page.permission.readFile], 'Read file', '读取文件'],
  [[keysEn.page.permission.createFile, keysZh.page.permission.createFile], 'Upload file', '上传文件'],
  [[keysEn.page.permission.deleteFile, keysZh.page.permission.deleteFile], 'Delete file', '删除文件'],
  [[keysEn.page.permission.readFolder, keysZh.page.permission.readFolder], 'Access folder', '访问文件夹'],
  [[keysEn.page.permission.createFolder, keysZh.page.permission.createFolder], 'Create folder', '创建文件夹'],
  [[keysEn.page.permission.deleteFolder, keysZh.page.permission.deleteFolder], 'Delete folder', '删除文件夹'],
  [[rewardsEn.accumulated, rewardsZh.accumulated], 'Accumulated', '累计'],
  [[rewardsEn.notWithdrawn, rewardsZh.notWithdrawn], 'Not withdrawn', '未提取'],
  [[rewardsEn.withdrawing, rewardsZh.withdrawing], 'Withdrawing', '提取中'],
  [[rewardsEn.credited, rewardsZh.credited], 'Credited', '已到账'],
  // Section 4.
  [[ordersEn.labels.created, ordersZh.labels.created], 'Created (unpaid)', '已创建（未支付）'],
  [[ordersEn.labels.paid, ordersZh.labels.paid], 'Paid', '已支付'],
  [[ordersEn.labels.running, ordersZh.labels.running], 'Running', '运行中'],
  [[ordersEn.labels.expired, ordersZh.labels.expired], 'Expired', '已到期'],
  [[ordersEn.labels.failed, ordersZh.labels.failed], 'Allocation failed', '分配失败'],
  [[ordersEn.labels.refunded, ordersZh.labels.refunded], 'Refunded', '已退款'],
  [[ordersEn.labels.cancelled, ordersZh.labels.cancelled], 'Cancelled', '已取消'],
  [[ordersEn.labels.terminated, ordersZh.labels.terminated], 'Terminated', '已终止'],
  [[tokensEn.claim.done, tokensZh.claim.done], 'Claimed today', '今日已领取'],
  [
    [transfersEn.otherNode, transfersZh.otherNode],
    'Interrupted, retrying on another node',
    '上传中断，正在其他节点重试',
  ],
  // Section 5.
  [[accountsEn.form.enterEmail, accountsZh.form.enterEmail], 'Please enter your e-mail address', '请输入您的邮箱地址'],
  [
    [accountsEn.form.wrongEmail, accountsZh.form.wrongEmail],
    'Please enter the correct e-mail address',
    '请输入正确的邮箱地址',
  ],
  [
    [accountsEn.form.incomplete, accountsZh.form.incomplete],
    'Please fill in the complete information',
    '请填写完整信息',
  ],
  [
    [accountsEn.form.badCharacters, accountsZh.form.badCharacters],
    'The password must not contain Chinese or blank characters',
    '密码不能包含中文或空白字符',
  ],
  [[accountsEn.form.badPassword, accountsZh.form.badPassword], 'Password verification failed', '密码验证失败'],
  [[accountsEn.form.differ, accountsZh.form.differ], 'The two passwords are inconsistent', '两次输入的密码不一致'],
  [
    [ordersEn.buy.lower, ordersZh.buy.lower],
    'Configuration cannot be lower than old configuration',
    '配置不能低于原配置',
  ],
  [[ordersEn.buy.same, ordersZh.buy.same], 'Configuration unchanged', '配置未变更'],
  [[ordersEn.buy.over, ordersZh.buy.over], 'Purchase amount exceeds account balance', '购买金额超出账户余额'],
  // Section 8.
  [[en.errors.server, zh.errors.server], 'Server error', '服务器错误'],
  [[en.errors.network, zh.errors.network], 'Network connection failed, please try again', '网络连接失败，请重试'],
  [[ordersEn.done.renewalFailed, ordersZh.done.renewalFailed], 'Renewal failed', '续费失败'],
  [[ordersEn.done.terminated, ordersZh.done.terminated], 'Termination successful', '终止成功'],
  [[ordersEn.done.renewed, ordersZh.done.renewed], 'Renewal successful', '续费成功'],
  [[ordersEn.done.created, ordersZh.done.created], 'Order created successfully', '订单创建成功'],
  [[ordersEn.done.upgraded, ordersZh.done.upgraded], 'Order created successfully', '订单创建成功'],
  [[ordersEn.done.reset, ordersZh.done.reset], 'Reset successful', '重置成功'],
  [[en.words.copied, zh.words.copied], 'Copied successfully', '复制成功'],
  [[en.words.copyFailed, zh.words.copyFailed], 'Copy failed', '复制失败'],
  [[redirectEn.errors[10011]![0], redirectZh.errors[10011]![0]], 'Access exceeds limits', '访问次数超出限制'],
  [[redirectEn.errors[10012]![0], redirectZh.errors[10012]![0]], 'Authorization failed', '授权失败'],
  [[redirectEn.errors[10028]![0], redirectZh.errors[10028]![0]], 'The file does not exist', '文件不存在'],
  [[transfersEn.failed, transfersZh.failed], 'Download failed', '下载失败'],
  [[exchangeEn.failures.redemption, exchangeZh.failures.redemption], 'Redemption failed', '兑换失败'],
  [[exchangeEn.failures.deal, exchangeZh.failures.deal], 'Failure of deal', '交易失败'],
  [[exchangeEn.failures.signature, exchangeZh.failures.signature], 'Failed to obtain the signature', '获取签名失败'],
  [
    [exchangeEn.failures.token, exchangeZh.failures.token],
    'Token expired, please log in again',
    '登录凭证已过期，请重新登录',
  ],
  [[exchangeEn.wallet.failed, exchangeZh.wallet.failed], 'Connection failed', '连接失败'],
  [[exchangeEn.recordsTitle, exchangeZh.recordsTitle], 'Top-up records', '充值记录'],
  [[exchangeEn.statuses.in_progress, exchangeZh.statuses.in_progress], 'In progress', '进行中'],
  [[exchangeEn.statuses.completed, exchangeZh.statuses.completed], 'Completed', '已完成'],
  [[exchangeEn.statuses.incomplete, exchangeZh.statuses.incomplete], 'Incomplete', '未完成'],
  [[exchangeEn.statuses.failure, exchangeZh.statuses.failure], 'Failure', '失败'],
  [[transcriptionEn.ready.file[1], transcriptionZh.ready.file[1]], 'Please select a file', '请选择文件'],
  [[transcriptionEn.ready.language[1], transcriptionZh.ready.language[1]], 'Please select a language', '请选择语言'],
  [[transcriptionEn.states.processing, transcriptionZh.states.processing], 'Processing', '处理中'],
  [[transcriptionEn.states.transcribing, transcriptionZh.states.transcribing], 'Transcribing', '转写中'],
  [[transcriptionEn.states.complete, transcriptionZh.states.complete], 'Complete', '已完成'],
  [[transcriptionEn.states.cancelled, transcriptionZh.states.cancelled], 'Cancelled', '已取消'],
]

/** Sentences of which the specification gives only a part. */
const parts: Row[] = [
  [[tokensEn.claim.exhausted, tokensZh.claim.exhausted], 'Allowance exhausted', '额度已用尽'],
  [[accountEn.rows.fileFree, accountZh.rows.fileFree], 'Max upload 1G', '最大上传 1G'],
  [
    [exchangeEn.confirm.text, exchangeZh.confirm.text],
    'Do not modify the remarks when confirming the transaction',
    '确认交易时请勿修改备注',
  ],
  [
    [exchangeEn.confirm.recalculated('1', '2'), exchangeZh.confirm.recalculated('1', '2')],
    'Exchange rate changed and was recalculated',
    '汇率已变化，金额已重新计算',
  ],
  [[transcriptionEn.audio.problems.type, transcriptionZh.audio.problems.type], 'Wrong file type', '文件类型错误'],
  [[transcriptionEn.audio.problems.size, transcriptionZh.audio.problems.size], 'File too big', '文件过大'],
  [
    [transcriptionEn.audio.problems.duration, transcriptionZh.audio.problems.duration],
    'Duration exceeded',
    '时长超出限制',
  ],
  [
    [transcriptionEn.ready.uses[1], transcriptionZh.ready.uses[1]],
    'Number of experiences insufficient',
    '体验次数不足',
  ],
  [
    [transcriptionEn.failures.processing, transcriptionZh.failures.processing],
    'Network error, processing failed',
    '网络错误，处理失败',
  ],
  [
    [transcriptionEn.failures.engine, transcriptionZh.failures.engine],
    'Service is busy, try again later',
    '服务繁忙，请稍后重试',
  ],
  [
    [transcriptionEn.tasks.waiting, transcriptionZh.tasks.waiting],
    'Network error, check local network',
    '网络错误，请检查本地网络',
  ],
  [[identitiesEn.failures.unreachable, identitiesZh.failures.unreachable], 'cannot be accessed', '无法访问'],
  [
    [identitiesEn.failures.browser, identitiesZh.failures.browser],
    'version of your browser may not be supported',
    '可能不支持您的浏览器版本',
  ],
]

describe('a text of the portal', () => {
  it.each(portal)('%j is “%s” and “%s”', (shown, english, chinese) => expect(shown).toEqual([english, chinese]))

  it.each(parts)('%j contains “%s” and “%s”', ([english, chinese], inEnglish, inChinese) => {
    expect(english).toContain(inEnglish)
    expect(chinese).toContain(inChinese)
  })
})

describe('an error of the server', () => {
  it.each<[ErrorKey, number, string, string]>([
    ['claimedToday', 1009, 'Already claimed', '已领取'],
    ['claimQuota', 1008, 'Quota used up', '额度已用完'],
    ['lowerConfiguration', 1001, 'Configuration cannot be lower than old configuration', '配置不能低于原配置'],
    ['sameConfiguration', 1001, 'Configuration unchanged', '配置未变更'],
    ['shareDownloadsExceeded', 10011, 'Access exceeds limits.', '访问次数超出限制。'],
    ['tokenRejected', 10012, 'Authorization failed.', '授权失败。'],
    ['assetUnknown', 10028, 'The file does not exist.', '文件不存在。'],
    ['fileExpired', 10028, 'The file has expired.', '文件已过期。'],
    ['shareLimit', 2064, 'Share limit exceeded.', '分享次数超出限制。'],
    ['emailMissing', 1001, 'Please enter your e-mail address.', '请输入您的邮箱地址。'],
    ['emailInvalid', 1001, 'Please enter the correct e-mail address.', '请输入正确的邮箱地址。'],
    ['incomplete', 1001, 'Please fill in the complete information.', '请填写完整信息。'],
    [
      'passwordCharacters',
      1001,
      'The password must not contain Chinese or blank characters.',
      '密码不能包含中文或空白字符。',
    ],
  ])('%s is %d, “%s” and “%s”', (key, err, english, chinese) => {
    expect(errors[key].err).toBe(err)
    expect(errorText(key, 'en')).toBe(english)
    expect(errorText(key, 'cn')).toBe(chinese)
  })

  it.each<[ErrorKey, object, string, string]>([
    ['exchangeAccountUnknown', {}, 'Account does not exist', '账号不存在'],
    ['exchangePartnerUnavailable', {}, 'Connection failed', '连接失败'],
    ['speechBusy', {}, 'Service is busy, try again later', '服务繁忙，请稍后重试'],
    ['speechTooLarge', { max: 1 }, 'File too big', '文件过大'],
    ['speechDuration', { minutes: 1 }, 'Duration exceeded', '时长超出限制'],
    ['speechType', {}, 'Wrong file type', '文件类型错误'],
    ['speechNoFile', {}, 'Please select a file', '请选择文件'],
    ['speechNoLanguage', {}, 'Please select a language', '请选择语言'],
    ['speechNoUses', { max: 1 }, 'Number of experiences insufficient', '体验次数不足'],
  ])('%s with %j begins with “%s” and “%s”', (key, facts, english, chinese) => {
    expect(errorText(key, 'en', facts as never).startsWith(english)).toBe(true)
    expect(errorText(key, 'cn', facts as never).startsWith(chinese)).toBe(true)
  })

  it('pointsInsufficient begins with the given text', () => {
    expect(errorText('pointsInsufficient', 'en', { points: 3 })).toMatch(/^User points insufficient\b/)
    expect(errorText('pointsInsufficient', 'cn', { points: 3 })).toMatch(/^用户积分不足/)
  })
})

describe('an error of a chain or wallet', () => {
  it.each([
    ['Request rejected', 'Cancelled', '已取消'],
    ['Overflow', 'Insufficient balance, payment failed', '余额不足，支付失败'],
    ['Unauthorized', 'Insufficient permission', '权限不足'],
    ['Insufficient funds', 'Transfer amount incorrect', '转账金额错误'],
    ['Bad request', 'Illegal request', '非法请求'],
    ['Already exists', 'Order already exists', '订单已存在'],
    ['Not Found', 'Order not found', '订单不存在'],
    ['Insufficient Capacity', 'Insufficient space', '空间不足'],
    ['Shortened Duration', 'Usage time too short', '使用时长过短'],
    ['something else', 'Payment failed', '支付失败'],
  ])('%s is shown as “%s” and “%s”', (message, english, chinese) => {
    const problem = problemOf(new Error(`rpc error: ${message}: execution of the message`))
    expect(problemTexts[problem]).toEqual({ en: english, cn: chinese })
  })
})

describe('a code of the SDK', () => {
  it.each([
    [0, 'success'],
    [-1, 'failure'],
    [400, 'The request was invalid. Please check your input.'],
    [401, 'You are not authorized. Please check your credentials.'],
    [403, 'You do not have permission to access this resource.'],
    [404, 'The requested resource could not be found.'],
    [405, 'An error occurred on the server. Please try again later.'],
    [503, 'The service is currently unavailable. Please try again later.'],
    [77_777, 'An unknown error occurred.'],
    [-200, 'Upload cancelled by user'],
    [1002, 'API token required'],
    [1003, 'Invalid API token provided.'],
    [10015, 'Unknown error during upload'],
    [10019, 'Download URL does not exist'],
    [10020, 'All url download failed'],
    [10021, 'Asset ID is required'],
    [10023, 'Failed to report'],
    [10028, 'Request aborted'],
    [10029, 'Request timed out'],
  ])('%d has the text “%s”', (code, text) => expect(codeText(code, 'en')).toBe(text))

  it('has a text in both languages', () => {
    const numbers = [
      ...Array.from({ length: 9 }, (_, index) => 1001 + index),
      ...Array.from({ length: 21 }, (_, index) => 10010 + index),
    ]
    expect(Object.values(codes)).toEqual(expect.arrayContaining(numbers))
    for (const code of Object.values(codes)) {
      expect(codeText(code, 'en')).not.toMatch(/\p{Script=Han}/u)
      expect(codeText(code, 'cn')).toMatch(/\p{Script=Han}/u)
    }
  })
})

describe('a message of the SDK', () => {
  it.each([
    ['chunkFailed', 'Failed to download chunk'],
    ['uploadAllFailed', 'All upload addresses failed, reached address length of {0}'],
    ['uploadNoAddress', 'Upload addresses failed.'],
    ['streamAborted', 'Stream aborted'],
    ['uploadFailed', 'Failed to upload file: {0}'],
    ['downloadStatus', 'Download failed{0}'],
    ['nodeNetwork', 'Handle network errors'],
    ['downloadAbort', 'Download abort'],
    ['downloadAllFailed', 'All download addresses failed, reached address length of {0}'],
    ['downloadMaximum', 'The download address has reached the maximum number of downloadable addresses'],
    ['noDownloadNode', 'No available download nodes'],
    ['groupCreate', 'Failed to create group'],
    ['groupRename', 'Failed to rename group'],
    ['assetRename', 'Failed to rename asset'],
    ['groupRemove', 'Failed to delete group'],
    ['assetRemove', 'Failed to delete asset'],
    ['assetList', 'Failed to asset list'],
    ['areas', 'Failed to get area ID'],
    ['profile', 'Failed to retrieve user information'],
    ['itemIdMissing', 'At least one ID (cId or groupId) is required'],
    ['serverError', 'Server error'],
  ] as const)('%s is “%s”', (name, text) => {
    expect(catalogue.phrases[name][0]).toBe(text)
    expect(catalogue.phrases[name][1]).toMatch(/\p{Script=Han}/u)
  })

  it('contains no Chinese characters in English', () => {
    const sentences = [...Object.values(catalogue.codeTexts), ...Object.values(catalogue.phrases)]
    for (const [english] of sentences) expect(english).not.toMatch(/\p{Script=Han}/u)
  })
})
