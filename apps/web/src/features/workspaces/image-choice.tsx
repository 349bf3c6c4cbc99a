import { lazy, Suspense, useState } from 'react'
import { shortenEmail } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { withFolderKey } from './folder-key.ts'
import { t } from './image-texts.ts'
import type { PickedImage } from './picked-image.ts'
import { usePortalPerson } from './portal-person.ts'
import { t as console } from './texts.ts'

const ImageDialog = lazy(async () => ({ default: (await import('./image-dialog.tsx')).ImageDialog }))

/** What was chosen: an image, for which the portal creates a key of its folder, or a key and a file. */
export interface ImageChoice {
  picked: PickedImage | undefined
  key: string
  file: string
}

export const NO_IMAGE: ImageChoice = { picked: undefined, key: '', file: '' }

export const isChosen = ({ picked, key, file }: ImageChoice): boolean =>
  picked !== undefined || (key.trim() !== '' && file.trim() !== '')

/** Calls with the image, and a key of its folder that ends with the call. @throws ApiError */
export async function withImage<T>(
  { picked, key, file }: ImageChoice,
  program: string,
  use: (archive: { key: string; file: string }) => Promise<T>,
): Promise<T> {
  if (!picked) return use({ key: key.trim(), file: file.trim() })
  const terms = { group_id: picked.folder.id }
  return withFolderKey({ name: console.files.keyName(program), terms, lifetime: 'call' }, (made) =>
    use({ key: made, file: picked.file }),
  )
}

/** Fields to choose an image of the storage. @param error shown where nothing was chosen */
export function StoredImageFields({
  value,
  onChange,
  error,
}: {
  value: ImageChoice
  onChange: (value: ImageChoice) => void
  error: string | undefined
}) {
  // Only the portal's session, if there is one in this browser, can create API keys; the console's cannot.
  const person = usePortalPerson()
  const [picking, setPicking] = useState(false)
  const { picked } = value
  return (
    <>
      <div className="grid gap-1 text-sm text-muted">
        <p>{t.accepted}</p>
        <p>{console.archive.limits}</p>
      </div>
      {person ? (
        <div className="grid gap-1.5">
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-sm">
              <span className="text-muted">{t.image}: </span>
              <span translate={picked ? 'no' : undefined} className="font-medium wrap-anywhere">
                {picked
                  ? picked.file === '.'
                    ? `${picked.name}/`
                    : `${picked.folder.name}/${picked.name}`
                  : t.unchosen}
              </span>
            </span>
            <Button onClick={() => setPicking(true)}>{picked ? t.another : t.pick}</Button>
          </div>
          <p className="text-sm text-muted">{t.keyHint(person.includes('@') ? shortenEmail(person) : person)}</p>
          {error && (
            <p role="alert" className="text-sm text-danger">
              {t.nothing}
            </p>
          )}
        </div>
      ) : (
        <>
          <Field label={console.files.keyLabel} hint={t.keyOwn}>
            <PasswordInput
              autoComplete="off"
              className="font-mono text-sm"
              value={value.key}
              onChange={(event) => onChange({ ...value, key: event.target.value })}
            />
          </Field>
          <Field label={console.archive.file} hint={console.archive.fileHint} error={error}>
            <TextInput
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-sm"
              value={value.file}
              onChange={(event) => onChange({ ...value, file: event.target.value })}
            />
          </Field>
        </>
      )}
      {picking && (
        <Suspense>
          <ImageDialog
            value={picked}
            onClose={() => setPicking(false)}
            onChoose={(chosen) => onChange({ ...value, picked: chosen })}
          />
        </Suspense>
      )}
    </>
  )
}
