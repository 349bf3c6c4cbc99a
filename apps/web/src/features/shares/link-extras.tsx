import type { ShortLink } from '@tidenet/contract'
import { CopyField } from '../../ui/copy.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { t } from './link-texts.ts'

/** Names of images that the server redirects to. */
const IMAGE = /\.(jpe?g|png|gif|webp|avif)$/i

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

/** The address of a short link's page without header and footer, for frames. */
function frameOf({ url, form }: ShortLink): string {
  const { origin, pathname, search } = new URL(url, location.origin)
  if (form === 'short') return `${origin}/td-distributionstatus?link=${pathname.split('/').at(-1)}`
  return `${origin}/td-distributionstatus${search}`
}

/** The QR code of a link, and code for web pages. */
export function LinkExtras({ link }: { link: ShortLink }) {
  const { url, item } = link
  const isImage = link.form === 'short' && item.kind === 'file' && IMAGE.test(item.name)
  const shownAsImage = isImage && !item.encrypted && link.short_pass === ''
  return (
    <div className="grid gap-5 pt-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <div className="mx-auto w-40 max-w-full">
        <QrCode text={url} label={t.extras.qr} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {link.form === 'short' && !link.upload && (
          <div>
            <p className="text-sm font-medium">{t.extras.embed}</p>
            <p className="mb-1.5 text-sm text-muted">{t.extras.embedHint}</p>
            <CopyField
              text={`<iframe src="${frameOf(link)}" title="${escaped(item.name)}" width="640" height="360"></iframe>`}
              label={t.extras.embed}
            />
          </div>
        )}
        {shownAsImage && (
          <div>
            <p className="text-sm font-medium">{t.extras.image}</p>
            <p className="mb-1.5 text-sm text-muted">{t.extras.imageHint}</p>
            <CopyField
              text={`<a href="${url}"><img src="${url}/image" alt="${escaped(item.name)}"></a>`}
              label={t.extras.image}
            />
          </div>
        )}
      </div>
    </div>
  )
}
