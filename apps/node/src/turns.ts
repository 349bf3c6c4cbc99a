/** Steps under the same name happen one after the other. */
export type Turns = <T>(name: string, step: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const running = new Map<string, Promise<unknown>>()
  return async (name, step) => {
    while (running.has(name)) await running.get(name)?.catch(() => {})
    const turn = step().finally(() => running.delete(name))
    running.set(name, turn)
    return turn
  }
}
