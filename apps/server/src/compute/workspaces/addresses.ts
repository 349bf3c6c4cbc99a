import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { hashPassword } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { now } from '../context.ts'
import { accessOf, saveAddress } from './addresses-repository.ts'
import { countTcpPorts, takeTcpPort, UNUSED_MS } from './tcp-ports-repository.ts'
import { actorOf, type Deps, lockWorkload } from './workloads.ts'

export { findTarget, type TargetRow } from './addresses-repository.ts'
export { listTcpTargets, markTcpPorts, type TcpTarget } from './tcp-ports-repository.ts'

const PASSWORD_MIN = 8
/** Of one account: the range belongs to all. */
const TCP_PORTS_MAX = 10

/** Sets who can open a port. @throws AppError as the contract declares */
export async function publishPort(
  context: Deps,
  caller: ConsoleCaller,
  { id, port, access, password }: Parsed<typeof contract.clusters.publish>,
  from: { ip: string },
): Promise<void> {
  if (context.config.ingress.url === '') throw new AppError('notPublished')
  if (password !== '' && (access !== 'password' || password.length < PASSWORD_MIN))
    throw new AppError('addressPassword')
  const hashed = password === '' ? null : await hashPassword(password)
  await context.db.transaction(async (tx) => {
    const { row } = await lockWorkload(tx, caller, id)
    if (!row.ports.includes(port)) throw new AppError('portUnknown')
    const stored = access === 'password' ? (hashed ?? (await accessOf(tx, id, port))?.password ?? null) : null
    if (access === 'password' && !stored) throw new AppError('addressPassword')
    if (access === 'tcp') {
      const at = now(context)
      const range = context.config.ingress.tcpPorts
      if (!range) throw new AppError('notPublished')
      const own = { workload_id: id, port }
      const free = new Date(at.getTime() - UNUSED_MS)
      const taken = await takeTcpPort(tx, own, range, { at, free })
      // Counted while the table is locked.
      if (!taken || (await countTcpPorts(tx, caller.userId)) > TCP_PORTS_MAX) throw new AppError('tcpPortsTaken')
    }
    await saveAddress(tx, { workload_id: id, port, access }, stored, now(context))
    const detail = { port, access }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.publish', subject: `workload:${id}`, detail })
  })
}
