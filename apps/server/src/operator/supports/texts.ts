import type { Lang } from '@tidenet/contract'

/** Messages of successful calls. */
export const texts = {
  en: { sent: 'The transfer was sent to support. Its trace is kept at least until the operators close the case.' },
  cn: { sent: '已将此次传输发送给支持人员，处理完毕之前会一直保留该记录。' },
} as const satisfies Record<Lang, unknown>
