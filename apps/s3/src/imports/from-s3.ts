import { ImportFailed } from './import-failed.ts'
import type { ImportTask } from './import-task.ts'

export async function importFromS3(_task: ImportTask): Promise<string> {
  throw new ImportFailed('unsupported')
}
