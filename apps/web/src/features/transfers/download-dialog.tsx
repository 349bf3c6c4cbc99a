import { Download as DownloadIcon } from 'lucide-react'
import { formatPercent } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DownloadRow } from './download-row.tsx'
import { hideDownloads, isOver, useDownloads } from './downloads.ts'
import { t } from './texts.ts'

/** All downloads of this tab; when hidden, a button in the corner opens it again. */
export function DownloadDialog() {
  const { list, shown, inPage } = useDownloads()
  const running = list.filter((download) => !isOver(download))
  const hidden = running.filter(({ id }) => id !== inPage)
  const [loaded, total] = hidden.reduce(([a, b], each) => [a + each.loaded, b + each.total], [0, 0])
  return (
    <>
      {!shown && hidden.length > 0 && (
        <Button
          className="fixed bottom-4 left-4 z-20 shadow-raised"
          icon={<DownloadIcon aria-hidden className="size-4" />}
          onClick={() => useDownloads.setState({ shown: true })}
        >
          {t.downloadsTitle} {formatPercent(loaded, total)}
        </Button>
      )}
      <Dialog
        open={shown && list.length > 0}
        onClose={hideDownloads}
        title={t.downloadsTitle}
        actions={
          <Button look={running.length > 0 ? 'secondary' : 'primary'} onClick={hideDownloads}>
            {running.length > 0 ? t.background : shell.words.close}
          </Button>
        }
      >
        <ul className="divide-y divide-line">
          {list.map((download) => (
            <DownloadRow key={download.id} download={download} />
          ))}
        </ul>
      </Dialog>
    </>
  )
}
