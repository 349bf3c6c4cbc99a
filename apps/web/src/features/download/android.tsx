import { Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/states.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import { termuxCommands } from './commands.ts'
import { t } from './texts.ts'

/** The event with which Chromium offers to install the portal; it is not in the DOM library yet. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/** The offer to install the portal as an app, where the browser makes it. */
function useInstallOffer() {
  const [offer, setOffer] = useState<InstallOffer>()
  const [isInstalled, setInstalled] = useState(false)
  useEffect(() => {
    const keep = (event: Event) => {
      // Otherwise the browser shows its own banner, too.
      event.preventDefault()
      setOffer(event as InstallOffer)
    }
    const done = () => setInstalled(true)
    addEventListener('beforeinstallprompt', keep)
    addEventListener('appinstalled', done)
    return () => {
      removeEventListener('beforeinstallprompt', keep)
      removeEventListener('appinstalled', done)
    }
  }, [])
  const install = async () => {
    const answer = await offer?.prompt()
    // An offer can be made once.
    setOffer(undefined)
    if (answer?.outcome === 'accepted') setInstalled(true)
  }
  return { offered: offer !== undefined, install, isInstalled }
}

/** The portal as an app that watches devices, and the node in Termux. */
export function Android() {
  const { data } = useQuery(query('releases.list', {}))
  const { offered, install, isInstalled } = useInstallOffer()
  const file = data?.list.find(({ kind, platform }) => kind === 'node' && platform === 'any')?.file
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card className="min-w-0 p-6">
        <h3 className="text-lg font-semibold">{t.android.watch}</h3>
        <p className="mt-2 text-muted">{t.android.watchText}</p>
        {offered && (
          <Button
            look="primary"
            className="mt-4 min-h-11"
            icon={<Smartphone aria-hidden className="size-4" />}
            onClick={() => void install()}
          >
            {t.android.install}
          </Button>
        )}
        {isInstalled && (
          <p role="status" className="mt-4 font-medium">
            {t.android.installed}
          </p>
        )}
        <ol className="mt-4 flex list-decimal flex-col gap-1.5 pl-5">
          {t.android.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
      <Card className="min-w-0 p-6">
        <h3 className="text-lg font-semibold">{t.android.termux}</h3>
        <p className="mt-2 mb-4 text-muted">{t.android.termuxText}</p>
        <CodeBlock plain label={t.android.termux} code={termuxCommands(portalOrigin(), file ?? 'tidenet-node.tgz')} />
      </Card>
    </div>
  )
}
