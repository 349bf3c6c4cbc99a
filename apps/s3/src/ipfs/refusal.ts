import type { Text } from './texts.ts'

/** What a client is told instead of what it asked for. */
export class Refusal extends Error {
  readonly status: number
  readonly text: Text
  readonly headers: Record<string, string>

  constructor(status: number, text: Text, headers: Record<string, string> = {}) {
    super(text.en)
    this.status = status
    this.text = text
    this.headers = headers
  }
}
