import { CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { PageTimeout } from '../../lib/page-timeout.ts'
import { t } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'

/** A script failed to load (browsers word this differently) or exceeded the time limit of routes/lazy.ts. */
const isChunkFailure = (error: unknown) =>
  error instanceof PageTimeout ||
  (error instanceof Error &&
    /dynamically imported module|importing a module script|Failed to fetch|preload/i.test(error.message))

/** Shown instead of a page that failed or could not be loaded. */
export function ErrorScreen({ error }: { error: unknown }) {
  const chunk = isChunkFailure(error)
  useEffect(() => {
    console.error(error)
  }, [error])
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-3 px-4 py-24 text-center" role="alert">
      <CircleAlert aria-hidden className="size-8 text-danger" />
      <h1 className="text-xl font-semibold">{chunk ? t.errors.chunkTitle : t.errors.pageTitle}</h1>
      <p className="text-muted">{chunk ? t.errors.chunkText : t.errors.pageText}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        <Button look="primary" onClick={() => location.reload()}>
          {t.errors.reload}
        </Button>
        <a href="/" className={buttonClass()}>
          {t.errors.toHome}
        </a>
      </div>
    </div>
  )
}
