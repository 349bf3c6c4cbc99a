import { KeySquare, LogIn } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { useProviders } from './providers.ts'
import { t } from './texts.ts'

/** A button for each external sign-in service. `redirect`: the path to open after the sign-in. */
export function SignInButtons({ redirect }: { redirect: string | undefined }) {
  const providers = useProviders()
  if (!providers) return null
  if (providers.length === 0)
    return (
      <div className="flex gap-3 text-sm">
        <KeySquare aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
        <p>
          <span className="font-medium">{t.another}</span> <span className="block text-muted">{t.none}</span>
        </p>
      </div>
    )
  const search = redirect ? `?redirect=${encodeURIComponent(redirect)}` : ''
  return (
    <>
      {providers.map(({ id, name }) => (
        // A server route that redirects to another site, so not a router link.
        <a
          key={id}
          href={`/api/v1/user/oauth/${id}/start${search}`}
          className={buttonClass('secondary', 'min-h-10 w-full')}
        >
          <LogIn aria-hidden className="size-4" />
          {t.continueWith(name)}
        </a>
      ))}
      <p className="text-xs text-muted">{t.firstTime}</p>
    </>
  )
}
