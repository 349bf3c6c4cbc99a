export function loadFixture<T = Record<string, unknown>>(path: string): Promise<T>
export function buildFixture(path: string): Promise<string>
