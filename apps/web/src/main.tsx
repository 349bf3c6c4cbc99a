import './styles.css'
import { startSession } from './lib/session.ts'
import { loadTexts } from './lib/texts.ts'

const [{ mount }] = await Promise.all([import('./app.tsx'), loadTexts()])
startSession()
mount(document.getElementById('root') as HTMLElement)
