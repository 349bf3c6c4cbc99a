import './styles.css'
import { startSession } from './lib/session.ts'
import { loadTexts } from './lib/texts.ts'

// Pages of the console alone have a palette: the first page of the portal does without.
if (document.querySelector('[data-console]'))
  void import('./lib/typed-ahead.ts').then(
    ({ listenAhead }) => listenAhead(),
    // Offline: the palette imports it again when it is opened.
    () => {},
  )

const [{ mount }] = await Promise.all([import('./app.tsx'), loadTexts()])
startSession()
mount(document.getElementById('root') as HTMLElement)
