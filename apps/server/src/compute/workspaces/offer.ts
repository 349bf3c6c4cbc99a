import { hasCapacity } from './capacity.ts'
import { takeOutages } from './outages.ts'
import { create, offered, remove, reserve, resize, restore, suspend } from './workspaces.ts'

/** What orders need from clusters. */
export const workspaces = { offered, hasCapacity, reserve, create, resize, suspend, restore, remove, takeOutages }

export type Workspaces = typeof workspaces
