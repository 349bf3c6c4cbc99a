import type { Lang } from '@tidenet/contract'

export type Purpose = 'login' | 'bind'

/** Parts of sign-in messages, and messages of successful calls. */
export const texts = {
  en: {
    bound: 'The wallet is linked to your account.',
    unbound: 'The wallet is no longer linked to your account.',
    asks: (domain: string) => `${domain} asks you to show that this wallet is yours.`,
    purpose: 'Purpose',
    purposes: { login: 'sign in to Tidenet', bind: 'bind this wallet to a Tidenet account' },
    address: 'Address',
    account: 'Account',
    nonce: 'Nonce',
    issued: 'Issued',
    expires: 'Expires',
    advice: (domain: string) =>
      `Sign this only if you have just asked for it at ${domain} yourself. It costs nothing and moves no coins.`,
  },
  cn: {
    bound: '钱包绑定成功。',
    unbound: '钱包已解绑。',
    asks: (domain: string) => `${domain} 请您证明此钱包归您所有。`,
    purpose: '用途',
    purposes: { login: '登录 Tidenet', bind: '将此钱包绑定到 Tidenet 账号' },
    address: '地址',
    account: '账号',
    nonce: '随机数',
    issued: '签发时间',
    expires: '失效时间',
    advice: (domain: string) => `仅当您刚刚在 ${domain} 亲自发起此操作时才签名。签名不收费，也不会转移任何代币。`,
  },
} as const satisfies Record<Lang, unknown>
