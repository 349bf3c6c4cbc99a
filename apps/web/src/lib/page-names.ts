import type { AddressName } from '../addresses.ts'
import { localized } from './localized.ts'

/** The name of each page, in this page's language. */
export const pageNames = await localized<Record<AddressName, string>>(
  () => import('../locales/pages.en.ts'),
  () => import('../locales/pages.zh.ts'),
)
