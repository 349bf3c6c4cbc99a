import { query, useQuery } from '../../lib/queries.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'
import { UnlockForm } from './unlock-form.tsx'

/** Unlocks the vault within a page or dialog, or says that only its owner can. */
export function UnlockHere({ mine }: { mine: boolean }) {
  const info = useQuery({ ...query('vault.info', {}), enabled: mine })
  if (!mine) return <p className="text-sm text-muted">{t.open.ofOwner}</p>
  if (info.isPending) return <Loading />
  if (info.isError) return <LoadFailed title={t.ways.failed} error={info.error} onRetry={() => void info.refetch()} />
  if (!info.data.vault) return <p className="text-sm text-muted">{t.open.ofOwner}</p>
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{t.open.inVault}</p>
      <UnlockForm kinds={info.data.vault.ways.map(({ kind }) => kind)} />
    </div>
  )
}
