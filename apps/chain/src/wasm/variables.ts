/** Section of a module that lists its global variables. */
const GLOBALS = 6
/** Operations of a constant expression: `i32.const`, `i64.const`, `global.get` and `ref.func` take a number; `end`. */
const WITH_NUMBER = new Set([0x41, 0x42, 0x23, 0xd2])
const END = 0x0b

/**
 * Number of global variables of a WebAssembly module that can change. Compilers keep the end of the stack in one; more may hold anything
 * from one call to the next. Infinite if the module has globals that are not understood here.
 */
export function countVariables(module: Uint8Array): number {
  let at = 8
  const number = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  while (at < module.length) {
    const section = module[at++]
    const end = number() + at
    if (section !== GLOBALS) {
      at = end
      continue
    }
    let variables = 0
    for (let left = number(); left > 0; left--) {
      // A section that ends early.
      if (at >= end) return Number.POSITIVE_INFINITY
      // The type, then whether it can change.
      at++
      if (module[at++] === 1) variables++
      while (module[at] !== END) {
        if (at >= end) return Number.POSITIVE_INFINITY
        if (!WITH_NUMBER.has(module[at++] ?? 0)) return Number.POSITIVE_INFINITY
        number()
      }
      at++
    }
    return variables
  }
  return 0
}
