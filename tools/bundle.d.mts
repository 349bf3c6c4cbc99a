export function bundleProgram(name: string, folder: string): Promise<void>
