import { useState } from 'react'
import { shortenEmail } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { withFolderKey } from './folder-key.ts'
import { t } from './folder-texts.ts'
import { usePortalPerson } from './portal-person.ts'
import { t as console } from './texts.ts'

/** What was chosen: a folder, of which the portal creates a key, or a key. */
export interface FolderChoice {
  folder: { id: number; name: string } | undefined
  key: string
  path: string
}

export const NO_FOLDER: FolderChoice = { folder: undefined, key: '', path: '/data/work' }

const PATH = /^\/[\w.@-]+(\/[\w.@-]+)*\/?$/
export const folderProblems = ({ folder, key, path }: FolderChoice) => ({
  which: folder === undefined && key.trim() === '',
  path: !PATH.test(path.trim()) || path.trim().length > 100,
})

const PERMISSIONS = ['readFile', 'createFile', 'deleteFile', 'readFolder', 'createFolder']

/**
 * Calls with an API key of the chosen folder. A key that was created is removed if the call fails; afterwards it belongs to the program.
 * @throws ApiError
 */
export async function withProgramKey<T>(
  { folder, key, path }: FolderChoice,
  program: string,
  use: (folder: { key: string; path: string }) => Promise<T>,
): Promise<T> {
  if (!folder) return use({ key: key.trim(), path: path.trim() })
  const terms = { type: 'normal' as const, perms: PERMISSIONS, folders: [folder.id] }
  return withFolderKey({ name: t.keyName(program), terms, lifetime: 'program' }, (made) =>
    use({ key: made, path: path.trim() }),
  )
}

/** Fields to choose a folder and where the program finds it. */
export function FolderFields({
  value,
  onChange,
  checked,
}: {
  value: FolderChoice
  onChange: (value: FolderChoice) => void
  /** Whether to show problems. */
  checked: boolean
}) {
  // Only the portal's session, if there is one in this browser, can create API keys; the console's cannot.
  const person = usePortalPerson()
  const [picking, setPicking] = useState(false)
  const wrong = folderProblems(value)
  const { folder } = value
  return (
    <>
      {person ? (
        <div className="grid gap-1.5">
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-sm">
              <span className="text-muted">{console.files.folder}: </span>
              <span translate={folder ? 'no' : undefined} className="font-medium wrap-anywhere">
                {folder?.name ?? console.files.noFolder}
              </span>
            </span>
            <Button onClick={() => setPicking(true)}>{folder ? console.files.another : console.files.pick}</Button>
          </div>
          <p className="text-sm text-muted">{t.keyHint(person.includes('@') ? shortenEmail(person) : person)}</p>
          {checked && wrong.which && (
            <p role="alert" className="text-sm text-danger">
              {console.files.folderMissing}
            </p>
          )}
        </div>
      ) : (
        <Field label={t.key} hint={t.keyOwn} error={checked && wrong.which ? t.keyMissing : undefined}>
          <PasswordInput
            autoComplete="off"
            className="font-mono text-sm"
            value={value.key}
            onChange={(event) => onChange({ ...value, key: event.target.value })}
          />
        </Field>
      )}
      <Field label={t.path} hint={t.pathHint} error={checked && wrong.path ? t.pathMissing : undefined}>
        <TextInput
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          className="max-w-sm font-mono text-sm"
          value={value.path}
          onChange={(event) => onChange({ ...value, path: event.target.value })}
        />
      </Field>
      {picking && (
        <FolderDialog
          value={folder}
          onClose={() => setPicking(false)}
          onChoose={(chosen) => onChange({ ...value, folder: chosen })}
        />
      )}
    </>
  )
}
