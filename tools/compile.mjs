// npm run compile: what `tsc -b` is elsewhere. TypeScript 7 compiles; 6 is installed for tools that need its JavaScript API.
import { compile } from './build.mjs'
import { usage } from './usage.mjs'

usage('npm run compile: compiles every package and app; a second or less when nothing changed.')
compile()
