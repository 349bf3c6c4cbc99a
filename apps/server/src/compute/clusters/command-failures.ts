/** What engines say if an image names no command, or its files do not include the command. */
const CAUSES =
  /no command (or entrypoint )?(specified|provided)|executable file .*not found|exec:? .*(no such file or directory|permission denied|is a directory)|exec format error/i

/** Whether a program did not start because of its command. @param message what the engine says */
export const isCommandFailure = (message: string): boolean => CAUSES.test(message)
