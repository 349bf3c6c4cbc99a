// Runs before the first paint, so that theme and language do not flicker, and applies later changes of the system or the user.
// lib/theme.ts writes the stored theme. `data-known` makes the prerendered console visible if a session is stored.
;(() => {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    let chosen = null
    try {
      chosen = localStorage.getItem('tidenet.theme')
    } catch {
      // Without storage, the system's theme applies.
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
