/** Prints how a script is used and ends it, where that is all that was asked: nothing is installed, built or started. */
export function usage(text) {
  if (process.argv[2] !== '--help') return
  console.log(text)
  process.exit(0)
}
