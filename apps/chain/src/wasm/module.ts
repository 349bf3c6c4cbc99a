import { fromUtf8, toUtf8 } from '@cosmjs/encoding'
import { HostFailure } from '../state/refusal.ts'
import { countVariables } from './variables.ts'

/**
 * Runs CosmWasm contracts (interface version 8) on the WebAssembly of Node. Each call finds an instance as it was created, so that nothing but
 * the storage outlives it. Instructions are not counted: only contracts that the operator chose run here, and their loops end with their input.
 */

/** What a contract reaches outside of itself. Keys and values of storage are bytes, one per character. */
export interface Outside {
  get(key: string): string | undefined
  set(key: string, value: string): void
  delete(key: string): void
  /** Entries from `start` (inclusive) to `end` (exclusive), sorted by their bytes. */
  range(start: string | undefined, end: string | undefined, descending: boolean): Iterable<[key: string, value: string]>
  /** @throws if it is no address of this chain in its normal form */
  validateAddress(text: string): void
  canonicalAddress(text: string): Uint8Array
  humanAddress(bytes: Uint8Array): string
  /** The answer to a query of the chain or of another contract, as JSON of `SystemResult<ContractResult<Binary>>`. */
  query(request: Uint8Array): string
}

export type EntryPoint = 'instantiate' | 'execute' | 'migrate' | 'query'

export interface ContractModule {
  /**
   * @param parameters each as JSON: environment, then for `instantiate` and `execute` the sender, then the message
   * @returns the JSON of the result's `ok`
   * @throws ContractError the contract refused or stopped
   * @throws HostFailure it did not begin
   */
  call(outside: Outside, entryPoint: EntryPoint, parameters: readonly Uint8Array[]): unknown
}

/** A contract refused, in its own words, or stopped. */
export class ContractError extends Error {}

interface Exports {
  memory: WebAssembly.Memory
  allocate(size: number): number
  deallocate(region: number): void
  [entryPoint: string]: unknown
}

/** `offset`, `capacity` and `length`, each 32 bits. */
const REGION_BYTES = 12
const ASCENDING = 1
/** More than usual calls allocate. */
const HEAP_BYTES = 256 * 1024

export function loadContract(bytes: Uint8Array): ContractModule {
  const module = new WebAssembly.Module(bytes)
  const exported = WebAssembly.Module.exports(module)
  if (!exported.some(({ name }) => name === 'interface_version_8'))
    throw new Error('This is no CosmWasm contract of interface version 8.')
  const isReusable = countVariables(bytes) <= 1
  // As many as calls within calls. Creating an instance takes longer than most calls.
  const idle: Machine[] = []
  return {
    call(outside, entryPoint, parameters) {
      if (!exported.some(({ name }) => name === entryPoint))
        throw new ContractError(`the contract has no ${entryPoint}`)
      try {
        const machine = idle.pop() ?? createMachine(module)
        const result = machine.run(outside, entryPoint, parameters)
        // Not after an exception: it may have left the stack anywhere.
        if (isReusable && machine.reset()) idle.push(machine)
        if (result.error !== undefined) throw new ContractError(result.error)
        return result.ok
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
          throw new ContractError(`Error executing Wasm: ${error.message}`)
        throw error
      }
    },
  }
}

type Machine = ReturnType<typeof createMachine>

/** An instance of a contract, for one call at a time. */
function createMachine(module: WebAssembly.Module) {
  const memory = createMemory(() => exports)
  const imports = createImports(memory)
  const instance = instantiate(module, imports.functions)
  const exports = instance.exports as unknown as Exports
  // Before the first call, so that few calls need more memory, which cannot be taken back.
  exports.deallocate(exports.allocate(HEAP_BYTES))
  const created = new Uint8Array(exports.memory.buffer).slice()

  return {
    run(
      outside: Outside,
      entryPoint: EntryPoint,
      parameters: readonly Uint8Array[],
    ): { ok?: unknown; error?: string | undefined } {
      imports.begin(outside)
      const call = exports[entryPoint] as (...regions: number[]) => number
      return JSON.parse(fromUtf8(memory.read(call(...parameters.map(memory.write)))))
    },
    /**
     * Makes it as it was created, if it can: after a call that returned, the stack is empty, and all else that a contract can change is its
     * memory.
     */
    reset(): boolean {
      const { buffer } = exports.memory
      if (buffer.byteLength !== created.length) return false
      new Uint8Array(buffer).set(created)
      return true
    },
  }
}

/** Memory is reserved for each instance, which fails where there is too little. */
function instantiate(
  module: WebAssembly.Module,
  env: Record<string, WebAssembly.ImportFunction>,
): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module, { env })
  } catch (error) {
    throw new HostFailure(`The contract cannot be run: ${(error as Error).message}`)
  }
}

type Memory = ReturnType<typeof createMemory>

function createMemory(exports: () => Exports) {
  // Views become invalid when the memory grows.
  const view = () => new DataView(exports().memory.buffer)
  const field = (region: number, index: number) => view().getUint32(region + index * 4, true)

  const read = (region: number): Uint8Array => {
    if (region === 0 || region + REGION_BYTES > exports().memory.buffer.byteLength)
      throw new ContractError('Error executing Wasm: no such region')
    return new Uint8Array(exports().memory.buffer, field(region, 0), field(region, 2)).slice()
  }
  const fill = (region: number, bytes: Uint8Array): void => {
    if (field(region, 1) < bytes.length) throw new ContractError('Error executing Wasm: region too small')
    new Uint8Array(exports().memory.buffer, field(region, 0), bytes.length).set(bytes)
    view().setUint32(region + 8, bytes.length, true)
  }
  const write = (bytes: Uint8Array): number => {
    const region = exports().allocate(bytes.length)
    fill(region, bytes)
    return region
  }
  return {
    read,
    write,
    fill,
    readText: (region: number) => fromUtf8(read(region)),
    writeText: (text: string) => write(toUtf8(text)),
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')

function createImports({ read, write, fill, readText, writeText }: Memory) {
  let outside: Outside
  let scans: Iterator<[string, string]>[] = []
  const bound = (region: number) => (region === 0 ? undefined : latin1(read(region)))
  /** 0, or the region of an error's text. */
  const attempt = (work: () => void): number => {
    try {
      work()
      return 0
    } catch (error) {
      return writeText((error as Error).message)
    }
  }
  const missing = (name: string) => () => {
    throw new ContractError(`Error executing Wasm: ${name} is not available`)
  }

  const functions: Record<string, WebAssembly.ImportFunction> = {
    db_read(key: number) {
      const value = outside.get(latin1(read(key)))
      return value === undefined ? 0 : write(bytesOf(value))
    },
    db_write: (key: number, value: number) => outside.set(latin1(read(key)), latin1(read(value))),
    db_remove: (key: number) => outside.delete(latin1(read(key))),
    db_scan(start: number, end: number, order: number) {
      scans.push(outside.range(bound(start), bound(end), order !== ASCENDING)[Symbol.iterator]())
      return scans.length
    },
    db_next(scan: number) {
      const next = scans[scan - 1]?.next()
      if (!next) throw new ContractError('Error executing Wasm: no such scan')
      return write(sections(next.done ? [] : next.value.map(bytesOf)))
    },
    addr_validate: (text: number) => attempt(() => outside.validateAddress(readText(text))),
    addr_canonicalize: (text: number, to: number) => attempt(() => fill(to, outside.canonicalAddress(readText(text)))),
    addr_humanize: (from: number, to: number) => attempt(() => fill(to, Buffer.from(outside.humanAddress(read(from))))),
    query_chain: (request: number) => writeText(outside.query(read(request))),
    debug: () => {},
    abort(message: number) {
      throw new ContractError(`Error executing Wasm: ${readText(message)}`)
    },
    secp256k1_verify: missing('secp256k1_verify'),
    secp256k1_recover_pubkey: missing('secp256k1_recover_pubkey'),
    ed25519_verify: missing('ed25519_verify'),
    ed25519_batch_verify: missing('ed25519_batch_verify'),
  }
  return {
    functions,
    /** Begins a call. */
    begin(reached: Outside): void {
      outside = reached
      scans = []
    },
  }
}

/** Key and value, each followed by its length in four bytes; both empty at the end of a scan. */
function sections([key = new Uint8Array(), value = new Uint8Array()]: Uint8Array[]): Uint8Array {
  const joined = Buffer.alloc(key.length + value.length + 8)
  joined.set(key)
  joined.writeUInt32BE(key.length, key.length)
  joined.set(value, key.length + 4)
  joined.writeUInt32BE(value.length, key.length + 4 + value.length)
  return joined
}
