import { Link } from '@tanstack/react-router'
import { actingTeam } from '../../lib/team.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Entry, isEncrypted } from './entries.ts'
import { t } from './texts.ts'

/** Leads to the console, where a program gets the folder; or says why none can have it. */
export function ProgramDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  if (entry.kind !== 'folder') return null
  const { ID: folder, Name: name } = entry.group
  const refused = actingTeam() ? t.files.programTeam : isEncrypted(entry) ? t.files.programEncrypted : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.files.programTitle(name)}
      description={refused ?? t.files.programText}
      actions={
        refused ? (
          <Button onClick={onClose}>{shell.words.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{shell.words.cancel}</Button>
            <Link to="/console/folder" search={{ folder, name }} className={buttonClass('primary')}>
              {t.files.programGo}
            </Link>
          </>
        )
      }
    />
  )
}
