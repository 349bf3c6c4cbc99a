import { Badge } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** The label of everything that the stand-in answered. */
export const Simulated = ({ when = true }: { when?: boolean }) => when && <Badge tone="warn">{t.simulated}</Badge>
