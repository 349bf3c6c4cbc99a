/** What `answer` gives within `ms`; undefined: nothing yet. Waiting keeps no process alive. @throws what it fails with */
export const within = <T>(answer: Promise<T>, ms: number): Promise<T | undefined> =>
  Promise.race([answer, new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), ms).unref())])
