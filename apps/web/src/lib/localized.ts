import { lang } from './texts.ts'

/**
 * Loads the texts of a feature in this page's language only.
 * `export const t = await localized(() => import('./texts.en.ts'), () => import('./texts.zh.ts'))`
 */
export async function localized<T>(en: () => Promise<{ texts: T }>, zh: () => Promise<{ texts: T }>): Promise<T> {
  return (await (lang === 'cn' ? zh() : en())).texts
}
