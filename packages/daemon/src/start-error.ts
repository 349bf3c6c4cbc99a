/** Exit code after which a restart would not help (EX_CONFIG of sysexits): supervisors stop restarting. */
export const EXIT_PERMANENT = 78

/** An error that the operator can fix; printed as its message, without a stack. */
export class StartError extends Error {
  /** A restart does not help until somebody acts, unlike with a busy port or an unavailable database. */
  readonly permanent: boolean

  constructor(message: string, { permanent = false }: { permanent?: boolean } = {}) {
    super(message)
    this.name = 'StartError'
    this.permanent = permanent
  }
}
