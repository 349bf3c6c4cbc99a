import { CommandError } from './command-error.ts'
import { printMessage, reasonOf } from './output.ts'
import { texts } from './texts.ts'

interface Several<T> {
  nameOf: (item: T) => string
  /** Concurrency, 1 by default. */
  concurrency?: number
}

/**
 * Runs `work` for each item, in order; failures do not stop the others.
 * @throws CommandError: the failure of a single item, or the number of failures with all results. Cancellation and a missing sign-in stop
 * everything.
 */
export async function forEach<T, R>(
  items: readonly T[],
  { nameOf, concurrency: atOnce = 1 }: Several<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: (R | undefined)[] = []
  const failures: { name: string; failed: CommandError }[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue)
      try {
        done[index] = await work(item)
      } catch (error) {
        const failed = error instanceof CommandError ? error : new CommandError(reasonOf(error))
        if (items.length === 1 || failed.exit === 'cancelled' || failed.exit === 'signIn') throw failed
        const name = nameOf(item)
        failures.push({ name, failed })
        printMessage(failed.message.includes(name) ? failed.message : texts.each(name, failed.message))
      }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  const list = done.filter((result) => result !== undefined)
  const [first] = failures
  if (!first) return list
  const alike = failures.every(({ failed }) => failed.exit === first.failed.exit)
  throw new CommandError(texts.someFailed(failures.length, items.length), alike ? first.failed.exit : 'failed', {
    more: { list, failed: failures.map(({ name, failed }) => ({ name, code: failed.code, msg: failed.message })) },
  })
}
