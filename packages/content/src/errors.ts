/** Error codes; handle errors by code, not by message. */
export type ContentErrorCode =
  | 'bad-cid'
  | 'bad-car'
  | 'bad-dag'
  | 'unsupported'
  | 'bad-tar'
  | 'mismatch'
  | 'changed'
  | 'not-found'
  | 'bad-path'
  | 'too-large'
  | 'wrapped'

/** The error class of this package. `code` is stable; `message` is for logs. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
  readonly code: ContentErrorCode

  constructor(code: ContentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Also true for errors of another copy of this package. */
export function isContentError(error: unknown): error is ContentError {
  return error instanceof Error && error.name === 'ContentError' && 'code' in error
}
