import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { askVault } from './ask.ts'
import { lockVault } from './store.ts'
import { t } from './texts.ts'

export function LockButton({ unlocked }: { unlocked: boolean }) {
  const Icon = unlocked ? LockKeyhole : LockKeyholeOpen
  return (
    <Button icon={<Icon aria-hidden className="size-4" />} onClick={() => (unlocked ? lockVault() : void askVault())}>
      {unlocked ? t.unlock.lock : t.unlock.go}
    </Button>
  )
}
