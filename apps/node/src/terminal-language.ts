/** Whether commands print Chinese. @param env `TIDENET_LANG`, then the locale of the terminal */
export const isChinese = (env: NodeJS.ProcessEnv): boolean =>
  /^(zh|cn)/i.test(env.TIDENET_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || '')
