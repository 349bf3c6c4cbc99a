// Runs before the first paint, so that neither theme nor language flickers, and follows what the system or a choice says later.
// lib/theme.ts writes what this reads. The console, which is drawn in part before anything is known, is shown to who is signed in.
;(() => {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    let chosen = null
    try {
      chosen = localStorage.getItem('tidenet.theme')
    } catch {
      // Storage may be closed to us: the system's theme it is.
    }
    root.dataset.theme = chosen === 'dark' || chosen === 'light' ? chosen : system.matches ? 'dark' : 'light'
  }
  show()
  system.addEventListener('change', show)
  addEventListener('storage', show)
  try {
    if (JSON.parse(localStorage.getItem('tidenet.login')).state.address) root.dataset.known = ''
  } catch {
    // Nobody is signed in here.
  }
  root.lang = /(?:^|;\s*)lang=(?:zh|cn)\b/.test(document.cookie) ? 'zh-CN' : 'en'
})()
