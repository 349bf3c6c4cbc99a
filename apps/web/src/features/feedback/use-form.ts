import { type ChangeEvent, type FormEvent, type RefObject, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'

interface Form<V, P> {
  form: RefObject<HTMLFormElement | null>
  values: V
  /** Problems by field, once somebody tried to send. */
  found: Partial<Record<keyof V, P>>
  sending: boolean
  /** Why it could not be sent. */
  failure: string | undefined
  valueProps: (field: keyof V & string) => {
    name: string
    value: string
    onChange: (event: Pick<ChangeEvent<HTMLInputElement>, 'target'> | { target: { value: string } }) => void
  }
  submit: (event: FormEvent) => Promise<void>
  /** Begins anew with these values. */
  restart: (values: Partial<V>) => void
}

/**
 * Values, problems and sending of a form.
 * @param problemsOf by field; the first of `fields` with one gets the focus, and nothing is sent
 * @param send throws what is shown
 */
export function useForm<V extends Record<keyof V, string>, P>({
  fields,
  initial,
  problemsOf,
  send,
}: {
  fields: readonly (keyof V & string)[]
  initial: V
  problemsOf: (values: V) => Partial<Record<keyof V, P>>
  send: (values: V) => Promise<void>
}): Form<V, P> {
  const [typed, setTyped] = useState<Partial<V>>({})
  const [tried, setTried] = useState(false)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const values: V = { ...initial, ...typed }
  return {
    form,
    values,
    found: tried ? problemsOf(values) : {},
    sending,
    failure,
    valueProps: (field) => ({
      name: field,
      value: values[field],
      onChange: (event) => setTyped({ ...typed, [field]: event.target.value }),
    }),
    async submit(event) {
      event.preventDefault()
      setTried(true)
      const problems = problemsOf(values)
      const first = fields.find((field) => problems[field])
      if (first) {
        form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
        return
      }
      setSending(true)
      setFailure(undefined)
      try {
        await send(values)
      } catch (error) {
        setFailure(messageOf(error))
      } finally {
        setSending(false)
      }
    },
    restart(next) {
      setTyped(next)
      setTried(false)
    },
  }
}
