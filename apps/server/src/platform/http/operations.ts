import { type Contract, contract, type Output, type Parsed, type Route } from '@tidenet/contract'
import { type Call, serve } from '@tidenet/daemon'
import type { CallerOf } from './callers.ts'
import type { ServerServing } from './serving.ts'

/** A handler for each operation of a module. */
export type Handlers<D extends keyof Contract> = { [O in keyof Contract[D]]: Handler<Contract[D][O]> }

type Handler<R> = R extends Route
  ? (input: Parsed<R>, call: Call<CallerOf<R['auth']>>) => Promise<Output<R>> | Output<R>
  : never

/** Serves all operations of a module of the contract. */
export function serveModule<D extends keyof Contract & string>(
  serving: ServerServing,
  module: D,
  handlers: Handlers<D>,
): void {
  serving.served.add(module)
  for (const [name, route] of Object.entries(contract[module])) {
    const handler = (handlers as unknown as Record<string, (input: never, call: never) => never>)[name]
    if (!handler) throw new Error(`${module}.${name} has no handler`)
    serve(serving, `${module}.${name}`, route, handler as never)
  }
}
