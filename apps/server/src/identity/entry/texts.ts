import type { Lang } from '@tidenet/contract'

/** Messages of successful calls. */
export const texts = {
  en: {
    codeSent: 'The verification code has been sent.',
    registered: 'Your account is ready.',
    passwordSet: 'Your password was changed.',
  },
  cn: {
    codeSent: '验证码已发送。',
    registered: '注册成功。',
    passwordSet: '密码重置成功。',
  },
} as const satisfies Record<Lang, unknown>
