/** The part of WebAssembly that is used here; Node's types leave it to those of browsers. */
declare namespace WebAssembly {
  type ImportFunction = (...regions: number[]) => unknown

  class Module {
    constructor(bytes: Uint8Array)
    static exports(module: Module): { name: string }[]
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, ImportFunction>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  class RuntimeError extends Error {}
}
