import { type Contract, contract, type OperationName, type Output, type Parsed, type Route } from '@tidenet/contract'
import { type Call, serve } from '@tidenet/daemon'
import type { Caller, CallerOf } from './callers.ts'
import type { CallInput, ServerServing } from './serving.ts'

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
    const operation = `${module}.${name}` as OperationName
    const authorized = async (input: CallInput, call: Call<Caller>) =>
      handler((await serving.authorize(operation, call.caller, input)) as never, call as never)
    serve(serving, operation, route, authorized as never)
  }
}
