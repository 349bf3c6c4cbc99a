import { en } from './locales/en.ts'
import { zh } from './locales/zh.ts'

/** Whether to use Chinese: `TIDENET_LANG`, then the locale of the terminal. */
export function isChinese(env: NodeJS.ProcessEnv): boolean {
  const locale = env.TIDENET_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^(zh|cn)/i.test(locale)
}

const chinese = isChinese(process.env)

/** The language code of the portal. */
export const lang = chinese ? 'cn' : 'en'
export const texts = chinese ? zh : en
