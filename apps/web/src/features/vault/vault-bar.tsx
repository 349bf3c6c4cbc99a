import { LockKeyhole } from 'lucide-react'
import { LockButton } from './lock-button.tsx'
import { useVault } from './store.ts'
import { t } from './texts.ts'

/** Says that a folder is encrypted and whether its files can be opened. */
export function VaultBar() {
  const unlocked = useVault(({ key }) => key !== undefined)
  return (
    <section
      aria-label={t.folder.title}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-sm"
    >
      <LockKeyhole aria-hidden className="size-4 text-accent" />
      <p className="min-w-0 flex-1 basis-48" role="status">
        <span className="font-medium">{t.folder.titleStop}</span> {unlocked ? t.folder.unlocked : t.folder.locked}
      </p>
      <LockButton unlocked={unlocked} />
    </section>
  )
}
