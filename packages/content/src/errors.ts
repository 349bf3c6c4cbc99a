/** What went wrong with content; callers choose their answer by this word, never by the text of the message. */
export type ContentErrorCode =
  | 'bad-cid'
  | 'bad-car'
  | 'bad-dag'
  | 'bad-tar'
  | 'mismatch'
  | 'changed'
  | 'not-found'
  | 'bad-path'
  | 'too-large'

/** The one error of this package. `code` is stable; `message` is for people who read logs. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
  readonly code: ContentErrorCode

  constructor(code: ContentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** True for errors of this package, also when two copies of it are loaded. */
export function isContentError(error: unknown): error is ContentError {
  return error instanceof Error && error.name === 'ContentError' && 'code' in error
}
