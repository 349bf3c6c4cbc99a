/**
 * Runs `work` soon after it was asked for, but never more often than every `ms`: for results that only the last one matters of.
 * @param work failures are tried again
 */
export function createSpaced(ms: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let ranAt = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isAsked = false
  let isStopped = false

  async function run(): Promise<void> {
    timer = undefined
    isRunning = true
    isAsked = false
    ranAt = performance.now()
    try {
      await work()
    } catch {
      isAsked = true
    }
    isRunning = false
    if (isAsked) ask()
  }
  function ask(): void {
    isAsked = true
    if (timer || isRunning || isStopped) return
    timer = setTimeout(() => void run(), Math.max(0, ranAt + ms - performance.now()))
    timer.unref()
  }
  return {
    ask,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
