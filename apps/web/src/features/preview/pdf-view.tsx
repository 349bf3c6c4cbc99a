import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { useObjectUrl } from './source.ts'
import { t } from './texts.ts'

/**
 * A document in the browser's PDF viewer. Only content with a PDF signature is shown, and the blob's type is set here, so that
 * the URL cannot be opened as anything else.
 */
export function PdfView({ blob, name }: { blob: Blob; name: string }) {
  const [fits, setFits] = useState<boolean>()
  useEffect(() => {
    let cancelled = false
    void blob
      .slice(0, 1024)
      .text()
      .then((head) => cancelled || setFits(head.includes('%PDF-')))
    return () => {
      cancelled = true
    }
  }, [blob])
  const url = useObjectUrl(fits ? blob : undefined, 'application/pdf')
  if (fits === false) return <p className="p-8 text-center text-muted">{t.pdf.broken}</p>
  if (!url) return null
  const shown = !('pdfViewerEnabled' in navigator) || navigator.pdfViewerEnabled
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center justify-end border-b border-line px-2 py-1">
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('ghost')}>
          <ExternalLink aria-hidden className="size-4" />
          {t.pdf.open}
        </a>
      </div>
      {shown ? (
        <iframe src={url} title={t.pdf.label(name)} className="min-h-0 w-full flex-1" />
      ) : (
        <p className="p-8 text-center text-muted">{t.pdf.none}</p>
      )}
    </div>
  )
}
