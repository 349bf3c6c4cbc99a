import { z } from 'zod'
import { plain, refuse } from './fields.ts'

/**
 * A folder of the account's storage in a program: its files are copied in before the program starts, and changed ones are saved as new
 * versions.
 */
export const folderInProgram = z.object({
  /**
   * An API key of the same account that is limited to one folder, with the permissions readFile, createFile, deleteFile, readFolder and
   * createFolder. It belongs to the program from then on, and is deleted when the folder is detached.
   */
  key: plain(200),
  /** Where the program finds the files: an absolute path of at most 100 characters. */
  path: plain(300).pipe(
    z
      .string()
      .regex(/^\/[\w.@-]+(\/[\w.@-]+)*\/?$/, refuse('folderPath'))
      .max(100, refuse('folderPath')),
  ),
})
/** More files are not copied, and not saved. */
export const FOLDER_FILES_MAX = 10_000

/**
 * Why files of the folder were not copied or saved: the key is no longer valid or lacks a permission, the folder was deleted, the storage
 * quota or the download quota is used up, the files do not fit, there are too many, nodes are away, files change while they are read.
 */
export const FOLDER_PROBLEMS = [
  'key',
  'folder',
  'quota',
  'traffic',
  'large',
  'many',
  'away',
  'changing',
  'failed',
] as const
export type FolderProblem = (typeof FOLDER_PROBLEMS)[number]

/**
 * Why one file is left out: a link or a special file, a name that the storage does not allow, empty, encrypted, an uploaded folder, its name
 * stands twice in its folder.
 */
export const FOLDER_SKIPS = ['special', 'name', 'empty', 'encrypted', 'sealed', 'twice', 'refused'] as const
export type FolderSkip = (typeof FOLDER_SKIPS)[number]

export const FOLDER_STATES = ['waiting', 'copying', 'ready', 'saving'] as const

export const shownFolder = z.object({
  /** Id and name of the folder. The name is that at the time it was chosen. */
  id: z.number(),
  name: z.string(),
  path: z.string(),
  state: z.enum(FOLDER_STATES),
  /** Empty: none. `note` says more, in English. */
  problem: z.enum(FOLDER_PROBLEMS).or(z.literal('')),
  note: z.string(),
  /** RFC 3339; empty: never. */
  copied_at: z.string(),
  saved_at: z.string(),
  /** Files and bytes that were saved, since it was chosen. */
  saved_files: z.number(),
  saved_bytes: z.number(),
  /** Files that were left out at the last time, at most 20 of them, and how many there were. */
  skipped: z.array(z.object({ path: z.string(), reason: z.enum(FOLDER_SKIPS) })),
  skipped_count: z.number(),
  /** Whether it is detached as soon as its files are saved. */
  detaching: z.boolean(),
})
export type ShownFolder = z.infer<typeof shownFolder>
