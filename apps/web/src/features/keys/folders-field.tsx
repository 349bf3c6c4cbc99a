import { X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/choices.tsx'
import { FolderBranch, type TreeFolder } from '../files/folder-tree.tsx'
import { t } from './form-texts.ts'
import { type Key, pathText } from './key.ts'

export type ChosenFolders = NonNullable<Key['folders']>

/** All folders, or a choice from the account's tree. */
export function FoldersField({
  value,
  chosen,
  error,
  onLimit,
  onChoose,
}: {
  value: 'all' | 'some'
  /** Kept while `all` is selected. */
  chosen: ChosenFolders
  error: string | undefined
  onLimit: (value: 'all' | 'some') => void
  onChoose: (chosen: ChosenFolders) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label={t.folders}
        value={value}
        onChange={onLimit}
        options={[
          { value: 'all', title: t.allFolders },
          { value: 'some', title: t.someFolders, hint: t.someHint },
        ]}
      />
      {value === 'some' && (
        <>
          {chosen.length > 0 && (
            <ul aria-label={t.chosenFolders} className="flex flex-wrap gap-2">
              {chosen.map((folder) => (
                <li
                  key={folder.id}
                  className="flex max-w-full items-center gap-1 rounded-lg bg-sunken py-0.5 pr-0.5 pl-3 text-sm"
                >
                  <span className="truncate" translate="no">
                    {pathText(folder.path)}
                  </span>
                  <IconButton
                    className="size-8"
                    label={t.removeFolder(pathText(folder.path))}
                    onClick={() => onChoose(chosen.filter(({ id }) => id !== folder.id))}
                  >
                    <X aria-hidden className="size-4" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <div className="max-h-64 overflow-y-auto rounded-lg border border-line py-1.5 pr-2">
            <FolderBranch empty={<p className="px-3 py-1.5 text-sm text-muted">{t.noFolders}</p>}>
              {(folder) => <Choice folder={folder} chosen={chosen} onChoose={onChoose} />}
            </FolderBranch>
          </div>
          {error && (
            <p role="alert" tabIndex={-1} className="text-sm text-danger">
              {error}
            </p>
          )}
        </>
      )}
    </div>
  )
}

function Choice({
  folder: { id, name, above },
  chosen,
  onChoose,
}: {
  folder: TreeFolder
  chosen: ChosenFolders
  onChoose: (chosen: ChosenFolders) => void
}) {
  const isChosen = (folder: number) => chosen.some((each) => each.id === folder)
  // A key of a folder has everything below it.
  const isIncluded = above.some((folder) => isChosen(folder.id))
  return (
    <div className="flex min-h-9 min-w-0 flex-1 items-center px-1 text-sm" translate="no">
      <Checkbox
        checked={isIncluded || isChosen(id)}
        disabled={isIncluded}
        onChange={(on) =>
          onChoose([
            ...chosen.filter((each) => each.id !== id),
            ...(on ? [{ id, path: [...above.map((folder) => folder.name), name] }] : []),
          ])
        }
      >
        <span className="wrap-anywhere">{name}</span>
      </Checkbox>
    </div>
  )
}
