import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { FolderPlus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import type { FilesSearch } from '../../searches.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { beginUploads } from './begin-uploads.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { moveEntries } from './changes.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DropOverlay } from './drop-overlay.tsx'
import type { FileEntry } from './entries.ts'
import { FolderView } from './folder-view.tsx'
import { rememberFolder } from './last-folder.ts'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import { SearchView } from './search-view.tsx'
import { t } from './texts.ts'
import { type Filter, Toolbar } from './toolbar.tsx'
import { TrashView } from './trash-view.tsx'
import { Unfinished } from './unfinished.tsx'
import { UploadMenu } from './upload-menu.tsx'
import { useDrop } from './use-drop.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useView } from './view.ts'

const FilePreview = lazy(async () => ({ default: (await import('./file-preview.tsx')).FilePreview }))
const VaultBar = lazy(async () => ({ default: (await import('../vault/vault-bar.tsx')).VaultBar }))
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }))

/** The parameters without empty ones. */
const withoutEmpty = (search: FilesSearch): FilesSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))

export function FilesPage() {
  const search = useSearch({ from: '/console/fileStorage' })
  return search.view === 'trash' ? <TrashPage page={search.page ?? 1} /> : <Files search={search} />
}

function TrashPage({ page }: { page: number }) {
  usePageTitle(t.trash.title)
  return <TrashView page={page} />
}

function Files({ search }: { search: FilesSearch }) {
  usePageTitle()
  const navigate = useNavigate()
  const { folder = 0, q = '', kind, shared, encrypted, sort, direction } = search
  const filter: Filter = { kind, shared, encrypted }
  const [naming, setNaming] = useState(search.do === 'folder')
  const [help, setHelp] = useState(false)
  const openUpload = useRef<() => void>(undefined)
  const searchField = useRef<HTMLInputElement>(null)

  const here = useQuery({ ...query('folders.item', { groupid: folder }), enabled: folder > 0 })
  const path = folder > 0 ? (here.data?.path ?? []) : []
  const name = path.at(-1)?.Name ?? t.files.root
  const encryptedHere = folder > 0 && here.data?.Group?.Encrypted === true
  const go = (next: FilesSearch, replace = false) =>
    void navigate({ to: '/fileStorage', search: withoutEmpty(next), replace })

  const router = useRouter()
  /** Whether this page opened the preview, so that going back closes it. */
  const openedHere = useRef(false)
  const showPreview = (next: FilesSearch, replace: boolean) =>
    void navigate({ to: '/fileStorage', search: withoutEmpty(next), replace, resetScroll: false })
  const openPreview = ({ asset }: FileEntry) => {
    openedHere.current = true
    const { AssetRecord, UserAssetDetail } = asset
    showPreview({ ...search, preview: AssetRecord.CID, entry: UserAssetDetail.AssetID }, false)
  }
  const closePreview = () => {
    if (openedHere.current && router.history.canGoBack()) router.history.back()
    else showPreview({ ...search, preview: undefined, entry: undefined }, true)
  }
  useEffect(() => {
    if (!search.preview) openedHere.current = false
  }, [search.preview])

  // Files dropped on other console pages go to the folder that was open last.
  useEffect(() => {
    if (folder === 0 || here.data) rememberFolder({ id: folder, name })
  }, [folder, name, here.data])

  // Runs the action of the command palette once, then removes it from the address.
  const { do: action } = search
  useEffect(() => {
    if (!action) return
    if (action === 'folder') setNaming(true)
    if (action === 'help') setHelp(true)
    void navigate({ to: '/fileStorage', search: withoutEmpty({ ...search, do: undefined }), replace: true })
  }, [action, search, navigate])

  const hovering = useDrop({
    files: (picked, over) => void beginUploads(picked, { folder: over?.id ?? folder, areas: [] }, over?.name ?? name),
    entries: (entries, over) => void moveEntries(entries, over),
  })
  useShortcuts({
    '/': () => searchField.current?.focus(),
    '?': () => setHelp(true),
    n: () => setNaming(true),
    u: () => openUpload.current?.(),
    g: () => useView.setState(({ layout }) => ({ layout: layout === 'grid' ? 'list' : 'grid' })),
    Backspace: () => folder > 0 && go({ folder: path.at(-2)?.ID || undefined }),
  })
  const descending = direction ? direction === 'desc' : sort !== 'name'

  return (
    <div className="mx-auto flex max-w-[92rem] flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="mr-auto min-w-0">
          <h1 className="text-2xl leading-8 font-semibold tracking-tight">{t.files.title}</h1>
          <Breadcrumbs path={path} target={hovering?.what === 'entries' ? hovering.folder?.id : undefined} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Link to="/fileStorage" search={{ view: 'trash' }} className={buttonClass('ghost')}>
            <Trash2 aria-hidden className="size-4" />
            {t.trash.open}
          </Link>
          <Button icon={<FolderPlus aria-hidden className="size-4" />} onClick={() => setNaming(true)}>
            {t.files.newFolder}
          </Button>
          <UploadMenu folder={folder} folderName={name} openRef={openUpload} />
        </div>
      </div>
      <Unfinished />
      {encryptedHere && (
        <Suspense>
          <VaultBar />
        </Suspense>
      )}
      <Toolbar
        query={q}
        onQuery={(next) => go({ ...search, q: next || undefined, page: undefined, after: undefined }, q !== '')}
        filter={filter}
        onFilter={(next) => go({ ...search, ...next, page: undefined, after: undefined })}
        {...(q === '' && {
          sort: {
            key: sort,
            descending,
            onSort: (key, down) =>
              go({
                ...search,
                sort: key,
                direction: key && down !== undefined ? (down ? 'desc' : 'asc') : undefined,
                page: undefined,
                after: undefined,
              }),
          },
        })}
        searchRef={searchField}
        onHelp={() => setHelp(true)}
      />
      {q !== '' ? (
        <SearchView
          key={JSON.stringify([q, filter])}
          search={{ q, ...filter }}
          onClear={() => go({ folder: folder || undefined })}
          onPreview={openPreview}
        />
      ) : (
        <FolderView
          // The key clears the selection when the folder, order or page changes.
          key={JSON.stringify([folder, sort, direction, filter, search.page, search.after])}
          folder={folder}
          name={name}
          search={search}
          // A network error does not mean that the folder is missing.
          missing={here.error instanceof ApiError && here.error.kind === 'refused'}
          onRetry={() => void here.refetch()}
          target={hovering?.folder?.id}
          onGo={go}
          onPreview={openPreview}
        />
      )}

      {naming && <NewFolderDialog parent={folder} inherited={encryptedHere} onClose={() => setNaming(false)} />}
      {help && (
        <Suspense>
          <ShortcutsSheet onClose={() => setHelp(false)} />
        </Suspense>
      )}
      {search.preview && (
        <Suspense>
          <FilePreview
            cid={search.preview}
            search={search}
            onShow={(next) => showPreview(next, true)}
            onClose={closePreview}
          />
        </Suspense>
      )}
      {hovering?.what === 'files' && <DropOverlay folder={hovering.folder?.name ?? name} />}
      <ConflictDialog />
    </div>
  )
}
