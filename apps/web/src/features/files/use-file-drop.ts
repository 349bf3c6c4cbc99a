import type { Picked } from '../transfers/picked.ts'
import { useDrop } from './use-drop.ts'

/** Handles files and folders dropped anywhere in the window. @returns whether something is being dragged over it */
export const useFileDrop = (onDrop: (picked: Picked[]) => void): boolean => useDrop({ files: onDrop }) !== undefined
