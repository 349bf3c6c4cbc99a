// Runs before the first paint, so that neither theme nor language flickers. lib/theme.ts writes what this reads.
;(() => {
  const root = document.documentElement
  let chosen = null
  try {
    chosen = localStorage.getItem('tidenet.theme')
  } catch {
    // Storage may be closed to us: the system's theme it is.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = chosen === 'dark' || chosen === 'light' ? chosen : dark ? 'dark' : 'light'
  root.lang = /(?:^|;\s*)lang=(?:zh|cn)\b/.test(document.cookie) ? 'zh-CN' : 'en'
})()
