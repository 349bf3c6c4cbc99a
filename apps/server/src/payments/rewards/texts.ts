import type { Lang } from '@tidenet/contract'

export const texts = {
  en: { redeemed: 'Your TTNT are being sent.' },
  cn: { redeemed: '兑换的 TTNT 正在发放。' },
} as const satisfies Record<Lang, unknown>
