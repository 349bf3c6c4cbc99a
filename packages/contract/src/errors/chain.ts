import { template, text } from './entry.ts'

/** Wallets, the chain, test coins, points and orders. */
export const chain = {
  walletAddress: text('This is not a wallet address of this network.', '该地址不是本网络的钱包地址。', 1001),
  signInMessageExpired: text(
    'The signed message is no longer valid. Please try again.',
    '所签名的内容已失效，请重试。',
    1014,
  ),
  tooManySignInMessages: text(
    'Too many sign-in messages were requested. Try again in a few minutes.',
    '获取签名内容过于频繁，请几分钟后重试。',
    1020,
  ),
  walletSignature: text(
    'The signature does not match the wallet and the message.',
    '签名与该钱包或签名内容不符。',
    1021,
  ),
  walletTaken: text('This wallet is linked to another account.', '该钱包已绑定其他账号。', 1022),
  walletAlreadyLinked: text(
    'A wallet of this kind is already linked to your account. Unlink it first.',
    '账号已绑定同类钱包，请先解绑。',
    1022,
  ),
  /** `hours`: remaining time, rounded up. */
  walletCooldown: template<{ hours: number }>(
    1022,
    ({ hours }) =>
      `A wallet was unlinked recently. You can link another one in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
    ({ hours }) => `近期解绑过钱包，请在 ${hours} 小时后重新绑定。`,
  ),
  walletUnknown: text('This wallet is not linked to your account.', '该钱包未绑定到此账号。', 1000),
  lastWallet: text(
    'This wallet is your only way to sign in. Add another sign-in method first.',
    '该钱包是登录此账号的唯一方式，请先添加其他登录方式。',
    1028,
  ),
  /** For operations that need a wallet of the chain. */
  walletRequired: text('Please link a wallet to your account first.', '请先为账号绑定钱包。', 2069),

  /** The operator has not configured a chain. */
  chainNotConfigured: text(
    'This portal is not connected to a chain, so this is not available.',
    '本站未接入区块链，暂不提供此功能。',
    1004,
  ),
  chainUnavailable: text(
    'The chain is not responding. Please try again in a moment.',
    '区块链暂时没有响应，请稍后再试。',
    1004,
  ),

  /** Spec 8 gives 1008 and 1009 of `receive` with their texts. */
  claimQuota: text('Quota used up', '额度已用完', 1008),
  claimedToday: text('Already claimed', '已领取', 1009),
  tooManyClaims: text(
    'Too many claims came from your network today. Try again tomorrow.',
    '您所在的网络今日领取次数过多，请明天再试。',
    1020,
  ),
  /** There is a chain, but no reward coin on it. */
  redeemUnavailable: text(
    'Points cannot be redeemed on this portal, because it has no reward coin.',
    '本站没有可供兑换的测试币，暂不支持积分兑换。',
    1004,
  ),
  /** The text begins as the specification gives it. */
  pointsInsufficient: template<{ points: number }>(
    1024,
    ({ points }) => `User points insufficient: you can redeem at most ${points} points.`,
    ({ points }) => `用户积分不足，可兑换积分为 ${points}。`,
  ),
  pointsMinimum: template<{ min: number }>(
    1001,
    ({ min }) => `Redeem at least ${min} points at a time.`,
    ({ min }) => `每次至少兑换 ${min} 积分。`,
  ),

  orderStatus: text('This is not possible in the current status of the order.', '订单当前状态不支持该操作。', 2068),
  lowerConfiguration: text('Configuration cannot be lower than old configuration', '配置不能低于原配置', 1001),
  sameConfiguration: text('Configuration unchanged', '配置未变更', 1001),
  maximumDurationReached: template<{ max: number }>(
    2068,
    ({ max }) => `The order already has the maximum duration of ${max} hours. Buy it again when it ends.`,
    ({ max }) => `订单时长已达上限 ${max} 小时，请在到期后重新购买。`,
  ),
  renewalShorter: template<{ hours: number }>(
    1001,
    ({ hours }) => `The duration after a renewal must be more than the current ${hours} hours.`,
    ({ hours }) => `续费后的时长须大于当前的 ${hours} 小时。`,
  ),
  tooManyUnpaid: template<{ max: number }>(
    1020,
    ({ max }) => `You have ${max} unpaid orders. Pay or cancel one of them first.`,
    ({ max }) => `您有 ${max} 个待支付订单，请先支付或取消其中之一。`,
  ),
  hashFormat: text('A transaction hash has 64 hexadecimal digits.', '交易哈希应为 64 位十六进制字符。', 1001),
  hashUsed: text('This transaction has already paid for another order.', '该交易已用于支付其他订单。', 1022),
  clusterUnknown: text('This cluster does not exist.', '集群不存在。', 1006),
  /** `reason` in the language of the text. */
  clusterNotReady: template<{ reason?: string }>(
    1005,
    ({ reason }) => `This cluster does not accept orders right now. ${reason ?? ''}`.trim(),
    ({ reason }) => `该集群暂不接受订单。${reason ?? ''}`,
  ),
  autoRenewImpossible: text('Automatic renewal is not available on this network.', '当前网络不支持自动续费。', 2068),
  autoRenewCap: text('Enter the maximum amount for all automatic renewals.', '请设置自动续费的金额上限。', 1001),
}
