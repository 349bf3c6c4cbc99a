import { z } from 'zod'

/** What a release of single executables consists of; `tools/executables` writes and signs it. */
export const releaseManifest = z.object({
  /** Increased when programs of before cannot read the manifest. */
  format: z.literal(1),
  version: z.string().max(40),
  /** When the release was made, unix ms. */
  time: z.number().int().min(0),
  /** How many of a hundred devices may update to it. */
  percent: z.number().int().min(0).max(100),
  files: z
    .array(
      z.object({
        file: z.string().regex(/^tidenet[\w.-]*$/),
        program: z.enum(['tidenet-node', 'tidenet']),
        platform: z.string(),
        /** How tests tried it: run natively, in an emulator, or only read as a file. */
        trial: z.enum(['native', 'emulated', 'file']),
        size: z.number().int().min(1),
        /** Hex. */
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(100),
})
export type ReleaseManifest = z.infer<typeof releaseManifest>

/** Why a node that updates itself still runs the version of before. */
export const UPDATE_PROBLEMS = ['download', 'space', 'folder', 'not-ready'] as const
export type UpdateProblem = (typeof UPDATE_PROBLEMS)[number]

/** How a node that updates itself does; `version`: the one that it could not update to, empty without a problem. */
export const nodeUpdates = z.object({
  on: z.boolean(),
  problem: z.enum(UPDATE_PROBLEMS).nullable(),
  version: z.string().max(40),
})
