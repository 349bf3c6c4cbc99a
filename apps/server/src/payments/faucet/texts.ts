import type { Lang } from '@tidenet/contract'

export const texts = {
  en: { claimed: 'Your coins are on their way.' },
  cn: { claimed: '测试币正在发放。' },
} as const satisfies Record<Lang, unknown>
