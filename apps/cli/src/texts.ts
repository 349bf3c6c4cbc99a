import { en } from './locales/en.ts'
import { zh } from './locales/zh.ts'

/** Whether Chinese is spoken: `TIDENET_LANG`, then what the terminal says. */
export function isChinese(env: NodeJS.ProcessEnv): boolean {
  const said = env.TIDENET_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^(zh|cn)/i.test(said)
}

const chinese = isChinese(process.env)

/** The language as the portal names it. */
export const lang = chinese ? 'cn' : 'en'
export const texts = chinese ? zh : en
