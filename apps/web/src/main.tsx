import './styles.css'
import { startSession } from './lib/session.ts'
import { loadTexts } from './lib/texts.ts'
import { listenAhead } from './lib/typed-ahead.ts'

listenAhead()

const [{ mount }] = await Promise.all([import('./app.tsx'), loadTexts()])
startSession()
mount(document.getElementById('root') as HTMLElement)
