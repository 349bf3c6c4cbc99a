/** For `--help`: prints the usage and exits before anything is installed, built or started. */
export function usage(text) {
  if (!process.argv.slice(2).includes('--help')) return
  console.log(text)
  process.exit(0)
}
