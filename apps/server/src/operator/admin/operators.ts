import { StartError } from '@tidenet/daemon'
import { findOperators, lockNamedForNoKeyUpdate, setRole } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../context.ts'

const USAGE = `Usage: node apps/server/dist/operator.js list
       node apps/server/dist/operator.js add <e-mail address or uid>
       node apps/server/dist/operator.js remove <e-mail address or uid>
It uses the database of DATABASE_URL and records changes in the audit log.`

/**
 * Lists operators, or gives or revokes the role of an existing account. For the person who runs the server: this creates the first operator,
 * and restores access if there is none.
 * @returns the text to print
 * @throws StartError for wrong arguments or an unknown account
 */
export async function changeOperators(db: Db, [command = '', name = '']: readonly string[]): Promise<string> {
  if (command === 'list') {
    const rows = await findOperators(db)
    return rows.map(({ uid, email, locked }) => `${uid}  ${email ?? ''}${locked ? '  locked' : ''}`).join('\n')
  }
  if ((command !== 'add' && command !== 'remove') || name === '') throw new StartError(USAGE)
  const role = command === 'add' ? 'operator' : 'user'
  return db.transaction(async (tx) => {
    const account = await lockNamedForNoKeyUpdate(tx, name)
    if (!account) throw new StartError(`There is no account ${name}. Sign up with it first.`)
    if ((account.role === 'operator') !== (role === 'operator')) {
      await setRole(tx, account.id, role)
      await audit(
        tx,
        { clock: Date },
        'system',
        { ip: '' },
        {
          action: 'account.role',
          subject: `user:${account.uid}`,
          detail: { before: { role: account.role }, after: { role }, reason: 'command line' },
        },
      )
    }
    return `${account.uid} is ${role === 'operator' ? 'an operator' : 'no operator'}${account.locked ? ', but locked' : ''}.`
  })
}
