/** @returns the path of the archive */
export function packExtension(folder?: string): Promise<string>
export const extensionFolder: string
