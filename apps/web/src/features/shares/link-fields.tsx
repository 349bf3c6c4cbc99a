import { Field as Base } from '@base-ui/react/field'
import { LINK_EMAILS_MAX, SHORT_PASS, UPLOAD_LINK_FILES_MAX } from '@tidenet/contract/constants'
import { WandSparkles } from 'lucide-react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field, inputClass, TextInput } from '../../ui/field.tsx'
import { t } from './link-texts.ts'

export interface FieldValues {
  password: string
  /** As typed. */
  downloads: string
  note: string
  /** E-mail addresses as typed. */
  emails: string
  /** Of a link for uploads, as typed; undefined: the link opens the item. */
  uploads?: UploadValues | undefined
}

export interface UploadValues {
  files: string
  mebibytes: string
}

export const newUploads: UploadValues = { files: '100', mebibytes: '1024' }

const MiB = 1024 * 1024
const isCount = (text: string, max: number) => /^[1-9]\d{0,8}$/.test(text.trim()) && Number(text) <= max
export const isBadFiles = ({ uploads }: FieldValues) =>
  uploads !== undefined && !isCount(uploads.files, UPLOAD_LINK_FILES_MAX)
export const isBadSize = ({ uploads }: FieldValues) => uploads !== undefined && !isCount(uploads.mebibytes, 10_000_000)

/** The limits in calls. */
export const uploadLimits = ({ uploads }: FieldValues) =>
  uploads && { upload_files: Number(uploads.files), upload_bytes: Number(uploads.mebibytes) * MiB }
/** The limits of a link in fields. */
export const uploadValues = (upload: { max_files: number; max_bytes: number }): UploadValues => ({
  files: String(upload.max_files),
  mebibytes: String(Math.max(1, Math.round(upload.max_bytes / MiB))),
})

export const noValues: FieldValues = { password: '', downloads: '', note: '', emails: '' }

const DOWNLOADS = /^[1-9]\d{0,5}$|^1000000$/

export const isBadPassword = ({ password }: FieldValues) => password !== '' && !SHORT_PASS.test(password)
export const isBadLimit = ({ downloads }: FieldValues) => downloads.trim() !== '' && !DOWNLOADS.test(downloads.trim())
/** The addresses, separated by spaces, commas, semicolons or lines. */
export const emailsOf = ({ emails }: FieldValues): string[] => [
  ...new Set(
    emails
      .toLowerCase()
      .split(/[\s,;，；]+/)
      .filter(Boolean),
  ),
]
const badEmailOf = (values: FieldValues) =>
  emailsOf(values).find((email) => !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email))
const emailProblem = (values: FieldValues): string | undefined => {
  const bad = badEmailOf(values)
  if (bad !== undefined) return t.form.emailFormat(bad)
  return emailsOf(values).length > LINK_EMAILS_MAX ? t.form.emailsMax(LINK_EMAILS_MAX) : undefined
}
export const areGood = (values: FieldValues): boolean =>
  !isBadPassword(values) &&
  !isBadLimit(values) &&
  !isBadFiles(values) &&
  !isBadSize(values) &&
  emailProblem(values) === undefined

/** Password, download limit, e-mail addresses and note of a link. @param long a long link, which has a password only */
export function LinkFields({
  values,
  onChange,
  checked,
  long = false,
}: {
  values: FieldValues
  onChange: (values: FieldValues) => void
  /** Whether to show what is wrong. */
  checked: boolean
  long?: boolean
}) {
  return (
    <>
      <Field
        label={<Optional>{t.form.password}</Optional>}
        hint={t.form.passwordHint}
        error={checked && isBadPassword(values) ? t.form.passwordFormat : undefined}
      >
        <div className="flex gap-2">
          <TextInput
            value={values.password}
            maxLength={6}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => onChange({ ...values, password: event.target.value })}
          />
          <Button
            className="shrink-0"
            icon={<WandSparkles aria-hidden className="size-4" />}
            onClick={() => onChange({ ...values, password: randomPassword() })}
          >
            {t.form.generate}
          </Button>
        </div>
      </Field>
      {!long && (
        <>
          {!values.uploads && (
            <Field
              label={<Optional>{t.form.downloads}</Optional>}
              hint={t.form.downloadsHint}
              error={checked && isBadLimit(values) ? t.form.downloadsFormat : undefined}
            >
              <TextInput
                value={values.downloads}
                inputMode="numeric"
                maxLength={9}
                autoComplete="off"
                onChange={(event) => onChange({ ...values, downloads: event.target.value })}
              />
            </Field>
          )}
          <Field
            label={<Optional>{t.form.emails}</Optional>}
            hint={t.form.emailsHint}
            error={checked ? emailProblem(values) : undefined}
          >
            <Base.Control
              render={<textarea rows={2} />}
              value={values.emails}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              className={classes(inputClass, 'resize-y')}
              onValueChange={(emails) => onChange({ ...values, emails: String(emails) })}
            />
          </Field>
          <Field label={<Optional>{t.form.note}</Optional>} hint={t.form.noteHint}>
            <TextInput
              value={values.note}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => onChange({ ...values, note: event.target.value })}
            />
          </Field>
        </>
      )}
    </>
  )
}

/** The limits of a link for uploads. */
export function UploadFields({
  values,
  uploads,
  onChange,
  checked,
}: {
  values: FieldValues
  uploads: UploadValues
  onChange: (values: FieldValues) => void
  checked: boolean
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t.form.uploadFiles}
        error={checked && isBadFiles(values) ? t.form.uploadFilesFormat(UPLOAD_LINK_FILES_MAX) : undefined}
      >
        <TextInput
          value={uploads.files}
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          onChange={(event) => onChange({ ...values, uploads: { ...uploads, files: event.target.value } })}
        />
      </Field>
      <Field label={t.form.uploadSize} error={checked && isBadSize(values) ? t.form.uploadSizeFormat : undefined}>
        <TextInput
          value={uploads.mebibytes}
          inputMode="numeric"
          maxLength={9}
          autoComplete="off"
          onChange={(event) => onChange({ ...values, uploads: { ...uploads, mebibytes: event.target.value } })}
        />
      </Field>
    </div>
  )
}

const Optional = ({ children }: { children: string }) => (
  <>
    {children} <span className="font-normal text-muted">({shell.words.optional})</span>
  </>
)

/** Six random characters, without easily confused ones. */
function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const fair = Math.floor(256 / letters.length) * letters.length
  let password = ''
  while (password.length < 6)
    for (const byte of crypto.getRandomValues(new Uint8Array(12)))
      if (byte < fair && password.length < 6) password += letters[byte % letters.length]
  return password
}
