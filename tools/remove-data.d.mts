export function mountsBelow(mounts: string, folder: string): string[]
export function removeData(folder: string): string | undefined
