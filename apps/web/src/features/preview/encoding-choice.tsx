import { Select } from '../../ui/select.tsx'
import { type Encoding, encodings } from './decode.ts'
import { t } from './texts.ts'

export function EncodingChoice({ value, onChange }: { value: Encoding; onChange: (value: Encoding) => void }) {
  return (
    <Select
      label={t.text.encoding}
      value={value}
      options={encodings.map((encoding) => ({ value: encoding, label: encoding.toUpperCase() }))}
      onChange={onChange}
    />
  )
}
