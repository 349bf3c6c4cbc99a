import { cidOfAddress } from '@tidenet/contract/cid-of-address'
import { type FormEvent, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Notice } from '../../ui/states.tsx'
import { t } from './import-texts.ts'

type Kind = keyof typeof t.kinds
const KINDS = Object.keys(t.kinds) as Kind[]

const EMPTY = {
  url: '',
  cid: '',
  name: '',
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  keyId: '',
  secret: '',
}
type Values = typeof EMPTY
const REQUIRED: Record<Kind, readonly (keyof Values)[]> = {
  url: ['url'],
  cid: ['cid'],
  s3: ['endpoint', 'region', 'bucket', 'keyId', 'secret'],
}

/** What to import: an address, a CID, or a bucket of another S3. */
export function ImportForm({ folder }: { folder: number }) {
  const offered = useQuery(query('imports.options', {})).data
  const [kind, setKind] = useState<Kind>('url')
  const [values, setValues] = useState(EMPTY)
  const [checked, setChecked] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const isMissing = (field: keyof Values) => REQUIRED[kind].includes(field) && values[field].trim() === ''
  const props = (field: keyof Values) => ({
    value: values[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [field]: event.target.value }),
  })
  const errorOf = (field: keyof Values) => (checked && isMissing(field) ? t.missing : undefined)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (REQUIRED[kind].some(isMissing))
      return focusFirstError(element.current, () => {
        setChecked(true)
        setRefusal('')
      })
    setRefusal('')
    setBusy(true)
    try {
      await begin(kind, values, folder)
      setValues(EMPTY)
      setChecked(false)
      refresh('imports.list', 'folders.contents')
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (offered && !KINDS.some((each) => offered[each])) return <Notice>{t.unavailable}</Notice>
  return (
    <form ref={element} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <Segments
        label={t.kind}
        isWide
        options={KINDS.map((value) => ({ value, name: t.kinds[value] }))}
        value={kind}
        onChange={(next) => {
          setKind(next)
          setChecked(false)
          setRefusal('')
        }}
      />
      {offered && !offered[kind] ? (
        <Notice>{t.notOffered}</Notice>
      ) : (
        <>
          {kind === 'url' && (
            <Field label={t.url} hint={t.urlHint} error={errorOf('url')}>
              <TextInput {...props('url')} type="url" maxLength={8192} />
            </Field>
          )}
          {kind === 'cid' && (
            <Field label={t.cid} hint={t.cidHint} error={errorOf('cid')}>
              <TextInput {...props('cid')} maxLength={200} />
            </Field>
          )}
          {kind !== 's3' ? (
            <Field label={t.name}>
              <TextInput {...props('name')} maxLength={255} />
            </Field>
          ) : (
            <>
              <Field label={t.endpoint} hint={t.endpointHint} error={errorOf('endpoint')}>
                <TextInput {...props('endpoint')} type="url" maxLength={2048} />
              </Field>
              <div className="grid grid-cols-2 gap-3">
                <Field label={t.bucket} error={errorOf('bucket')}>
                  <TextInput {...props('bucket')} maxLength={255} />
                </Field>
                <Field label={t.region} error={errorOf('region')}>
                  <TextInput {...props('region')} maxLength={64} />
                </Field>
              </div>
              <Field label={t.prefix} hint={t.prefixHint}>
                <TextInput {...props('prefix')} maxLength={1024} />
              </Field>
              <Field label={t.keyId} error={errorOf('keyId')}>
                <TextInput {...props('keyId')} maxLength={128} />
              </Field>
              <Field label={t.secret} hint={t.secretHint} error={errorOf('secret')}>
                <PasswordInput {...props('secret')} maxLength={256} />
              </Field>
              {folder === 0 && values.bucket !== '' && (
                <p className="text-sm text-muted wrap-anywhere">{t.newFolder(values.bucket)}</p>
              )}
            </>
          )}
          {refusal !== '' && (
            <p role="alert" className="text-sm text-danger">
              {refusal}
            </p>
          )}
          <Button type="submit" look="primary" busy={busy}>
            {t.start}
          </Button>
        </>
      )}
    </form>
  )
}

async function begin(kind: Kind, values: Values, folder: number): Promise<void> {
  const name = values.name.trim()
  if (kind === 'url') await api('imports.url', { url: values.url.trim(), name, group_id: folder })
  else if (kind === 'cid') await api('imports.cid', { cid: cidOfAddress(values.cid), name, group_id: folder })
  else {
    const bucket = values.bucket.trim()
    await api('imports.s3', {
      endpoint: values.endpoint.trim(),
      region: values.region.trim(),
      bucket,
      prefix: values.prefix,
      access_key_id: values.keyId.trim(),
      secret_access_key: values.secret.trim(),
      group_id: folder || (await folderOf(bucket)),
    })
  }
}

/** Objects need a folder: in the root, it is one that is called like the bucket. */
async function folderOf(bucket: string): Promise<number> {
  const { list } = await api('folderUploads.folders', { parent: 0, paths: [bucket] })
  return list[0]?.id ?? 0
}
