import { localized } from '../../lib/localized.ts'
import { type EcologyEntry, facts } from './ecology-facts.ts'

const words = await localized(
  () => import('./ecology.en.ts'),
  () => import('./ecology.zh.ts'),
)

export const entries: readonly EcologyEntry[] = facts.map((fact) => ({ ...fact, ...words[fact.id] }))
