import { CloudDownload, FileUp, FolderUp, SlidersHorizontal, Upload } from 'lucide-react'
import { type ChangeEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { pickedFromInput } from '../transfers/picked.ts'
import type { UploadOptions } from '../transfers/upload-list.ts'
import { UploadOptionsDialog } from '../transfers/upload-options-dialog.tsx'
import { beginUploads } from './begin-uploads.ts'
import { t } from './texts.ts'

const ImportPanel = lazy(async () => ({ default: (await import('./import-panel.tsx')).ImportPanel }))

/** The upload menu of a folder. @param openRef receives a function that opens the file dialog, for use elsewhere on the page */
export function UploadMenu({
  folder,
  folderName,
  openRef,
}: {
  folder: number
  folderName: string
  openRef?: RefObject<(() => void) | undefined>
}) {
  const [asking, setAsking] = useState(false)
  const [importing, setImporting] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const directory = useRef<HTMLInputElement>(null)
  const options = useRef<Omit<UploadOptions, 'folder'>>({ areas: [] })

  const choose = (kind: 'files' | 'folder', chosen: Omit<UploadOptions, 'folder'> = { areas: [] }) => {
    options.current = chosen
    const input = kind === 'files' ? files.current : directory.current
    input?.click()
  }
  useEffect(() => {
    if (!openRef) return
    openRef.current = () => {
      options.current = { areas: [] }
      files.current?.click()
    }
  }, [openRef])
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    if (currentTarget.files && currentTarget.files.length > 0)
      void beginUploads(pickedFromInput(currentTarget.files), { folder, ...options.current }, folderName)
    // Without this, choosing the same file again would not fire `change`.
    currentTarget.value = ''
  }
  return (
    <>
      <Menu
        triggerClass={buttonClass('primary')}
        trigger={
          <>
            <Upload aria-hidden className="size-4" />
            {t.files.upload}
          </>
        }
      >
        <MenuItem icon={<FileUp aria-hidden className="size-4" />} onSelect={() => choose('files')}>
          {t.files.uploadFiles}
        </MenuItem>
        <MenuItem icon={<FolderUp aria-hidden className="size-4" />} onSelect={() => choose('folder')}>
          {t.files.uploadFolder}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<SlidersHorizontal aria-hidden className="size-4" />} onSelect={() => setAsking(true)}>
          {t.files.uploadOptions}
        </MenuItem>
        <MenuItem icon={<CloudDownload aria-hidden className="size-4" />} onSelect={() => setImporting(true)}>
          {t.files.import}
        </MenuItem>
      </Menu>
      <input ref={files} type="file" multiple hidden aria-label={t.files.uploadFiles} onChange={take} />
      <input
        ref={directory}
        type="file"
        hidden
        aria-label={t.files.uploadFolder}
        onChange={take}
        {...{ webkitdirectory: '' }}
      />
      {importing && (
        <Suspense>
          <ImportPanel folder={folder} name={folderName} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {asking && (
        <UploadOptionsDialog
          open
          onClose={() => setAsking(false)}
          onChoose={(kind, chosen) => {
            choose(kind, chosen)
            setAsking(false)
          }}
        />
      )}
    </>
  )
}
