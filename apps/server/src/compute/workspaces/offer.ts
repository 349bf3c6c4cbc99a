import { create, hasRoom, offered, remove, resize, restore, suspend } from './workspaces.ts'

/** What orders ask of clusters. */
export const workspaces = { offered, hasRoom, create, resize, suspend, restore, remove }

export type Workspaces = typeof workspaces
