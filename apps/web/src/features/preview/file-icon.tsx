import {
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  FolderArchive,
} from 'lucide-react'
import { t } from './kind-texts.ts'
import { type PreviewKind, previewKind } from './kinds.ts'

const icons = {
  image: FileImage,
  svg: FileImage,
  video: FileVideo,
  audio: FileAudio,
  pdf: FileText,
  table: FileSpreadsheet,
  text: FileText,
  markdown: FileText,
  archive: FileArchive,
  none: File,
} as const satisfies Record<PreviewKind, unknown>

export function FileIcon({ name, folder, className }: { name: string; folder: boolean; className?: string }) {
  const Icon = folder ? FolderArchive : icons[previewKind(name)]
  return <Icon aria-hidden className={className} />
}

/** Label of a file's kind, by its name. */
export function kindOf(name: string, folder: boolean): string {
  if (folder) return t.folder
  const kind = previewKind(name)
  return t[kind === 'svg' ? 'image' : kind === 'none' ? 'file' : kind]
}
