import type { AddressName } from '../addresses.ts'
import { localized } from './localized.ts'

/** What each page is called, in this page's language. */
export const pageNames = await localized<Record<AddressName, string>>(
  () => import('../locales/pages.en.ts'),
  () => import('../locales/pages.zh.ts'),
)
