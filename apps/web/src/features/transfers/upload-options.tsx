import { useState } from 'react'
import { areaName } from '../../lib/areas.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'
import type { UploadOptions } from './upload-list.ts'

const PASSPHRASE_MIN = 8

type Chosen = Omit<UploadOptions, 'folder'>

export interface OptionFields {
  areas: string[]
  encrypt: boolean
  passphrase: string
  repeat: string
  /** Stores each folder as one file. */
  sealed: boolean
  /** Stores what CAR files hold. */
  importCars: boolean
  /** Whether to show problems of the passphrase. */
  tried: boolean
}

export const noOptions: OptionFields = {
  areas: [],
  encrypt: false,
  passphrase: '',
  repeat: '',
  sealed: false,
  importCars: false,
  tried: false,
}

const isShort = ({ encrypt, passphrase }: OptionFields) => encrypt && [...passphrase].length < PASSPHRASE_MIN
const differs = ({ encrypt, passphrase, repeat }: OptionFields) => encrypt && passphrase !== repeat

/** State of the options. `read` returns undefined while the passphrase is invalid. */
export function useUploadOptions() {
  const [fields, setFields] = useState(noOptions)
  return {
    fields,
    setFields,
    read(): Chosen | undefined {
      if (isShort(fields) || differs(fields)) {
        setFields({ ...fields, tried: true })
        return undefined
      }
      const { areas, encrypt, passphrase, sealed, importCars } = fields
      return {
        areas,
        ...(encrypt && { passphrase }),
        ...(sealed && { sealed }),
        ...(importCars && !encrypt && { importCars }),
      }
    },
  }
}

interface FieldsProps {
  fields: OptionFields
  onChange: (fields: OptionFields) => void
}

/** Areas for copies; none: the network decides. */
export function AreaFields({ fields, onChange }: FieldsProps) {
  const areas = useQuery(query('uploads.areas', {}))
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t.area}</legend>
      <p className="mb-2 text-sm text-muted">{t.areaHint}</p>
      {areas.data?.list.length === 0 && <Notice>{t.noAreas}</Notice>}
      <div className="grid gap-2 sm:grid-cols-2">
        {areas.data?.list.map((area) => (
          <Checkbox
            key={area}
            checked={fields.areas.includes(area)}
            onChange={(on) =>
              onChange({
                ...fields,
                areas: on ? [...fields.areas, area] : fields.areas.filter((each) => each !== area),
              })
            }
          >
            {areaName(area)}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

/** How folders are stored. */
export function FolderField({ fields, onChange }: FieldsProps) {
  return (
    <Checkbox checked={fields.sealed} onChange={(sealed) => onChange({ ...fields, sealed })} hint={t.sealedHint}>
      {t.sealed}
    </Checkbox>
  )
}

/** How CAR files are stored. Ciphertext has no content that could be imported. */
export function CarField({ fields, onChange }: FieldsProps) {
  return (
    <Checkbox
      checked={fields.importCars && !fields.encrypt}
      disabled={fields.encrypt}
      onChange={(importCars) => onChange({ ...fields, importCars })}
      hint={t.importCarsHint}
    >
      {t.importCars}
    </Checkbox>
  )
}

/** Whether to encrypt, and the passphrase. */
export function EncryptionFields({ fields, onChange }: FieldsProps) {
  const short = isShort(fields)
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        checked={fields.encrypt}
        onChange={(encrypt) => onChange({ ...fields, encrypt, tried: false })}
        hint={t.encryptionHint}
      >
        {t.encryption}
      </Checkbox>
      {fields.encrypt && (
        <>
          <Field label={t.passphrase} error={fields.tried && short ? t.passphraseShort : undefined}>
            <PasswordInput
              value={fields.passphrase}
              onChange={(event) => onChange({ ...fields, passphrase: event.target.value })}
              autoComplete="new-password"
            />
          </Field>
          <Field
            label={t.passphraseRepeat}
            error={fields.tried && !short && differs(fields) ? t.passphraseDiffer : undefined}
          >
            <PasswordInput
              value={fields.repeat}
              onChange={(event) => onChange({ ...fields, repeat: event.target.value })}
              autoComplete="new-password"
            />
          </Field>
        </>
      )}
    </div>
  )
}
