// npm run compile: `tsc -b` with TypeScript 7. Version 6 is installed for tools that need its JavaScript API.
import { compile, fail } from './build.mjs'
import { usage } from './usage.mjs'

usage('npm run compile: compiles all packages and apps; takes up to a second if nothing changed.')
try {
  compile()
} catch (error) {
  fail(error)
}
