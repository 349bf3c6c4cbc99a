import type { Lang } from '@tidenet/contract'

/** Messages of successful calls. */
export const texts = {
  en: { taken: 'Your message was received. A confirmation is on its way to your mailbox.' },
  cn: { taken: '您的来信已送达，确认邮件已发送至您的邮箱。' },
} as const satisfies Record<Lang, unknown>
