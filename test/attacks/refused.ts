import { rawCid } from '@tidenet/content/cid'
import type { As, Person } from '../../apps/server/src/test-env.fixture.ts'

/** Shared by the files that provoke each refusal. */

export interface Refused {
  code?: number
  err?: number
  msg?: string
}
/** Provokes one refusal, as a new account, in Chinese. */
export type Provoke = (as: As, person: Person) => Promise<Refused>

export const PASSWORD = 'tide-Net9'
export const cn = { lang: 'cn' } as const
let count = 0
/** A unique number. */
export const next = () => ++count
export const address = () => `nobody${++count}@mail.test`
export const newNetwork = () => ({ ...cn, ip: `10.9.${++count >> 8}.${count & 255}` })
export const unknownCid = async () => (await rawCid(new TextEncoder().encode(`unknown ${++count}`))).toString()
