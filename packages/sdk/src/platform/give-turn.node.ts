/** Ms that work without a turn of the event loop may take. */
const WORK_MS = 10

let turned = 0

/** Between steps that do not wait for anything: lets sockets, timers and signals have a turn every few milliseconds. */
export async function giveTurn(): Promise<void> {
  if (performance.now() - turned < WORK_MS) return
  await new Promise((resolve) => setImmediate(resolve))
  turned = performance.now()
}
