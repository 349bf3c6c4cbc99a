import { ImportFailed } from './import-failed.ts'
import type { ImportTask } from './import-task.ts'

export async function importFromCid(_task: ImportTask): Promise<string> {
  throw new ImportFailed('unsupported')
}
