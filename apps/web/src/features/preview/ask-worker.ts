/** A hostile text must not keep a core busy. */
const TIMEOUT_MS = 4000

/**
 * Sends a worker its only message and ends it after its answer.
 * @param onAnswer gets undefined if the worker fails or takes too long
 * @returns ends the worker without an answer
 */
export function askWorker<T>(worker: Worker, question: unknown, onAnswer: (answer: T | undefined) => void): () => void {
  const stop = () => {
    clearTimeout(timer)
    worker.terminate()
  }
  const answer = (data: T | undefined) => {
    stop()
    onAnswer(data)
  }
  const timer = setTimeout(() => answer(undefined), TIMEOUT_MS)
  worker.onmessage = ({ data }: MessageEvent<T | undefined>) => answer(data)
  worker.onerror = () => answer(undefined)
  worker.postMessage(question)
  return stop
}
