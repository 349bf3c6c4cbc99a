#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A checkout holds the compiled modules, a package one bundled file.
const compiled = new URL('../dist/main.js', import.meta.url)
await import(existsSync(compiled) ? compiled.href : '../bundle/main.js')
