import type { Lang } from '@tidenet/contract'

/** Messages of successful calls. */
export const texts = {
  en: { linked: 'You can now sign in this way too.', unlinked: 'This way to sign in was removed.' },
  cn: { linked: '关联成功，今后也可以使用此方式登录。', unlinked: '已解除关联。' },
} as const satisfies Record<Lang, unknown>
