/** The exit code of a program that starting again would not help (EX_CONFIG of sysexits): whoever watches over it stops. */
export const HOPELESS = 78

/** Something the person who starts the program can put right; shown as its message alone, without a stack. */
export class StartError extends Error {
  /** Starting again changes nothing until somebody has acted, unlike with a port or a database that may be free or back in a moment. */
  readonly permanent: boolean

  constructor(message: string, { permanent = false }: { permanent?: boolean } = {}) {
    super(message)
    this.name = 'StartError'
    this.permanent = permanent
  }
}
