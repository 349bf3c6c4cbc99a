import { File, FileArchive, FileAudio, FileText, FileVideo, Folder, FolderArchive, Image } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { THUMBNAIL_FROM_MAX, thumbnailOf } from '../transfers/thumbnails.ts'
import { useVault } from '../vault/store.ts'
import { type Entry, isEncrypted, nameOf, sizeOf } from './entries.ts'

const icons = [
  [/\.(jpe?g|png|gif|webp|avif|bmp|svg|tiff?|heic|ico)$/i, Image],
  [/\.(mp4|m4v|mov|mkv|webm|avi|mpe?g|ogv)$/i, FileVideo],
  [/\.(mp3|m4a|aac|flac|ogg|opus|wav|wma)$/i, FileAudio],
  [/\.(zip|tar|gz|tgz|bz2|xz|zst|7z|rar)$/i, FileArchive],
  [/\.(pdf|docx?|odt|rtf|txt|md|csv|tex|epub|xlsx?|ods|pptx?|odp|json|ya?ml|xml|html?)$/i, FileText],
] as const

const isImageName = (name: string): boolean => /\.(jpe?g|png|gif|webp|avif|bmp)$/i.test(name)

/** Whether an entry is an image that browsers can decode; an encrypted one only while its key is unlocked. */
export const isImage = (entry: Entry): boolean =>
  entry.kind === 'asset' && entry.asset.UserAssetDetail.AssetType === 'file' && isImageName(nameOf(entry))

export function EntryIcon({ entry, className }: { entry: Entry; className?: string }) {
  if (entry.kind === 'folder')
    return <Folder aria-hidden className={classes('shrink-0 fill-accent-soft text-accent', className)} />
  if (entry.asset.UserAssetDetail.AssetType === 'folder')
    return <FolderArchive aria-hidden className={classes('shrink-0 text-muted', className)} />
  const name = nameOf(entry)
  const Icon = icons.find(([pattern]) => pattern.test(name))?.[1] ?? File
  return <Icon aria-hidden className={classes('shrink-0 text-muted', className)} />
}

/**
 * The thumbnail of an image once it is visible; otherwise the icon of the file type.
 * @param fetchIt whether the image may be downloaded; cached thumbnails are shown anyway
 */
export function Thumbnail({ entry, fetchIt, className }: { entry: Entry; fetchIt: boolean; className?: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [address, setAddress] = useState<string | null>(null)
  const identity = useVault(({ key }) => (isEncrypted(entry) ? key?.identity : undefined))
  const shown = isImage(entry) && (!isEncrypted(entry) || identity !== undefined)
  const cid = entry.kind === 'asset' && shown ? entry.asset.AssetRecord.CID : ''
  const may = fetchIt && sizeOf(entry) <= THUMBNAIL_FROM_MAX
  useEffect(() => {
    if (cid === '' || !place.current) return
    const stop = new AbortController()
    const watch = new IntersectionObserver(([seen]) => {
      if (!seen?.isIntersecting) return
      watch.disconnect()
      void thumbnailOf(cid, may, stop.signal, identity).then((found) => stop.signal.aborted || setAddress(found))
    })
    watch.observe(place.current)
    return () => {
      watch.disconnect()
      stop.abort()
      setAddress(null)
    }
  }, [cid, may, identity])
  return (
    <span
      ref={place}
      data-preview={entry.kind === 'asset' || undefined}
      className={classes(
        'flex items-center justify-center overflow-hidden',
        entry.kind === 'asset' && 'cursor-pointer',
        className,
      )}
    >
      {address ? (
        <img src={address} alt="" className="size-full object-cover" draggable={false} />
      ) : (
        <EntryIcon entry={entry} className="size-[45%] max-h-9 min-h-5 max-w-9 min-w-5" />
      )}
    </span>
  )
}
