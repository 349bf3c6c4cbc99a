import type { Lang } from '@tidenet/contract'

export const texts = {
  en: { redeemed: 'Your coins are on their way.' },
  cn: { redeemed: '兑换的测试币正在发放。' },
} as const satisfies Record<Lang, unknown>
