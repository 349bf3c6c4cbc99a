import type { Permission } from '@tidenet/contract'
import { PERMISSIONS } from '@tidenet/contract/route'
import { Checkbox, RadioCards } from '../../ui/choices.tsx'
import type { Key } from './key.ts'
import { abilities, permissionText } from './permissions.ts'
import { t } from './texts.ts'

/** Full access, or a choice of permissions. */
export function PermissionsField({
  type,
  perms,
  error,
  onType,
  onPerms,
}: {
  type: Key['type']
  /** Kept while the type is `admin`. */
  perms: readonly Permission[]
  error: string | undefined
  onType: (type: Key['type']) => void
  onPerms: (perms: Permission[]) => void
}) {
  return (
    <>
      <RadioCards
        label={t.page.type}
        value={type}
        onChange={onType}
        options={[
          { value: 'admin', title: t.page.admin, hint: t.page.adminHint },
          { value: 'normal', title: t.page.normal, hint: t.page.normalHint },
        ]}
      />
      {type === 'normal' && (
        <fieldset>
          <legend className="mb-2 text-sm font-medium">{t.page.permissions}</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {PERMISSIONS.map((perm) => (
              <Checkbox
                key={perm}
                checked={perms.includes(perm)}
                onChange={(on) => onPerms(PERMISSIONS.filter((one) => (one === perm ? on : perms.includes(one))))}
              >
                {permissionText(perm)}
              </Checkbox>
            ))}
          </div>
          {error ? (
            <p role="alert" tabIndex={-1} className="mt-2 text-sm text-danger">
              {error}
            </p>
          ) : (
            perms.length > 0 && <p className="mt-3 text-sm text-muted">{abilities({ type, perms }).join(' ')}</p>
          )}
        </fieldset>
      )}
    </>
  )
}
