import { FileArchive, FolderTree } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatSize } from '../../lib/format.ts'
import { useInfiniteQuery } from '../../lib/more-queries.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { classes } from '../../ui/classes.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { FolderPicker } from '../files/folder-picker.tsx'
import { t } from './image-texts.ts'
import type { PickedImage } from './picked-image.ts'

const PAGE = 100
/** The folder itself, as the API names it. */
const WHOLE = '.'
const LAYOUT = ['oci-layout', 'index.json', 'blobs']

/** Chooses an image in the account's storage: a tar file, or a folder with an OCI layout. */
export function ImageDialog({
  value,
  onClose,
  onChoose,
}: {
  value: PickedImage | undefined
  onClose: () => void
  onChoose: (image: PickedImage) => void
}) {
  const [image, setImage] = useState(value)
  return (
    <FolderPicker
      value={value?.folder ?? { id: 0, name: '' }}
      title={t.title}
      action={t.choose}
      intro={t.nothing}
      onClose={onClose}
      onChoose={(folder) => {
        if (image?.folder.id !== folder.id) return toast.error(t.nothing)
        onChoose(image)
        onClose()
      }}
    >
      {(folder) =>
        folder.id === 0 ? (
          // A key for the root folder would not be limited to one folder.
          <p className="border-t border-line pt-3 text-sm text-muted">{t.root}</p>
        ) : (
          <Images
            key={folder.id}
            folder={folder}
            value={image?.folder.id === folder.id ? image.file : ''}
            onChange={(file, name) => setImage({ folder, file, name })}
          />
        )
      }
    </FolderPicker>
  )
}

interface Choice {
  value: string
  onChange: (file: string, name: string) => void
}

function Images({ folder, ...choice }: { folder: PickedImage['folder'] } & Choice) {
  const layout = useQuery(query('folders.findNames', { parent: folder.id, names: LAYOUT }))
  const files = useInfiniteQuery({
    queryKey: ['folders.contents', { parent: folder.id, images: true }],
    queryFn: ({ pageParam, signal }) =>
      api(
        'folders.contents',
        { parent: folder.id, kind: 'file', page_size: PAGE, ...(pageParam && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  })
  if (files.isPending || layout.isPending) return <Loading />
  if (files.isError) return <LoadFailed title={t.failed} error={files.error} onRetry={() => void files.refetch()} />
  const isLayout = LAYOUT.every((name) => layout.data?.list.some((one) => one.name === name))
  const list = files.data.pages
    .flatMap((page) => page.list)
    .flatMap(({ AssetOverview }) => AssetOverview ?? [])
    // The files that make up the image are not other choices.
    .filter(({ UserAssetDetail: { AssetName } }) => !isLayout || !LAYOUT.includes(AssetName))
  return (
    <fieldset className="max-h-56 overflow-y-auto border-t border-line pt-3">
      <legend className="sr-only">{t.images(folder.name)}</legend>
      {isLayout && <Row name={folder.name} what={t.layout} file={WHOLE} {...choice} />}
      {!isLayout && list.length === 0 && <p className="px-2.5 text-sm text-muted">{t.none}</p>}
      {list.map(({ UserAssetDetail: { AssetID, AssetName, Cid, TotalSize, Encrypted } }) => (
        <Row
          key={AssetID}
          name={AssetName}
          what={formatSize(TotalSize)}
          refused={Encrypted ? t.encrypted : isTar(AssetName) ? undefined : t.noTar}
          file={Cid}
          {...choice}
        />
      ))}
      {files.hasNextPage && (
        <button
          type="button"
          className="min-h-9 rounded-lg px-2.5 text-sm text-accent hover:underline"
          onClick={() => void files.fetchNextPage()}
        >
          {t.more}
        </button>
      )}
    </fieldset>
  )
}

const isTar = (name: string): boolean => /\.(tar|tgz|tar\.gz)$/i.test(name)

function Row({
  name,
  what,
  refused,
  file,
  value,
  onChange,
}: { name: string; what: string; refused?: string | undefined; file: string } & Choice) {
  const Icon = file === WHOLE ? FolderTree : FileArchive
  return (
    <label
      className={classes(
        'flex min-h-9 min-w-0 items-center gap-2.5 rounded-lg px-2.5 py-1 text-sm has-focus-visible:outline-2',
        refused ? 'text-muted' : 'hover:bg-sunken has-checked:bg-accent-soft has-checked:text-accent',
      )}
    >
      <input
        type="radio"
        name="image"
        className="size-4 shrink-0 accent-accent"
        checked={value === file}
        disabled={refused !== undefined}
        onChange={() => onChange(file, name)}
      />
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere" translate="no">
          {name}
        </span>{' '}
        <span className="text-xs text-muted">{refused ?? what}</span>
      </span>
    </label>
  )
}
