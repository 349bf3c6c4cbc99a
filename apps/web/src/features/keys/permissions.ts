import type { Permission } from '@tidenet/contract'
import { PERMISSIONS } from '@tidenet/contract/route'
import { t } from '../../lib/texts.ts'

const isPermission = (name: string): name is Permission => PERMISSIONS.some((each) => each === name)

/** A permission in words; one that this page does not know keeps its own name. */
export const permissionText = (name: string): string => (isPermission(name) ? t.keys.permission[name] : name)
