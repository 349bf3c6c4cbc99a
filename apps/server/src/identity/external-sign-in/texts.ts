import type { Lang } from '@tidenet/contract'

/** Messages of successful calls. */
export const texts = {
  en: { linked: 'You can now also sign in with this service.', unlinked: 'This sign-in service was removed.' },
  cn: { linked: '关联成功，今后也可以使用此方式登录。', unlinked: '已解除关联。' },
} as const satisfies Record<Lang, unknown>
