import type { Lang } from '@tidenet/contract'

export const texts = {
  en: { claimed: 'Your test coins are being sent.' },
  cn: { claimed: '测试币正在发放。' },
} as const satisfies Record<Lang, unknown>
