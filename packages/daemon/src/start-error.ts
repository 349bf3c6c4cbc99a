/** Something the person who starts the program can put right; shown as its message alone, without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}
