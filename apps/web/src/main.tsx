import './styles.css'
import { mount } from './app.tsx'
import { startSession } from './lib/session.ts'
import { loadTexts } from './lib/texts.ts'

// Only console pages have the command palette; other pages do not load it.
if (document.querySelector('[data-console]'))
  void import('./lib/typed-ahead.ts').then(
    ({ listenAhead }) => listenAhead(true),
    // Offline: the palette imports the module again when it opens.
    () => {},
  )

await loadTexts()
startSession()
mount(document.getElementById('root') as HTMLElement)
