import { FileIcon } from '../preview/file-icon.tsx'

/** Name, kind and size of a share. */
export function Heading({ name, folder, facts }: { name: string; folder: boolean; facts: string }) {
  return (
    <div className="flex items-start gap-4">
      <span className="flex size-12 shrink-0 items-center justify-center rounded-xl bg-accent-soft text-accent">
        <FileIcon name={name} folder={folder} className="size-6" />
      </span>
      <div className="min-w-0 flex-1">
        <h1 className="text-xl leading-7 font-semibold wrap-anywhere">{name}</h1>
        <p className="text-muted">{facts}</p>
      </div>
    </div>
  )
}
