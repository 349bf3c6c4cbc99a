import { api } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { queries } from '../../lib/queries.ts'
import type { Proved } from '../security/proof.tsx'
import { keepUsed } from './used.ts'
import type { Wallet } from './wallet.ts'

/** What is going on while a wallet proves itself; the person acts in the first and third. */
export type Step = 'connect' | 'ask' | 'sign' | 'send'

/**
 * Signs in as the account of a wallet; the first time, the account is opened.
 * @throws ApiError or WalletError
 */
export async function signInBy(wallet: Wallet, onStep: (step: Step) => void): Promise<void> {
  onStep('connect')
  const { address } = await wallet.connect()
  onStep('ask')
  const { code } = await api('wallets.loginNonce', { username: address }, { token: '' })
  onStep('sign')
  const { signature, publicKey } = await wallet.signText(address, code)
  onStep('send')
  const proof = { username: address, address, sign: signature, ...(publicKey && { publicKey }) }
  // Known before the answer: a second factor may follow, which knows of no wallet.
  const chain = wallet.kind === 'evm' ? await wallet.chain().catch(() => '') : ''
  keepUsed({ kind: wallet.kind, id: wallet.id, address, chain })
  const { token } = await api('accounts.login', proof, { token: '' })
  await openSession(token, 3)
}

/**
 * Binds a wallet to the account that is signed in, and has everything loaded again that it may change.
 * @param proved has the owner prove to be there where the server asks for that; what was signed is sent again then
 * @returns its address; undefined: the owner gave no proof
 * @throws ApiError or WalletError
 */
export async function bind(wallet: Wallet, onStep: (step: Step) => void, proved: Proved): Promise<string | undefined> {
  onStep('connect')
  const { address } = await wallet.connect()
  onStep('ask')
  const { code } = await api('wallets.bindNonce', { address })
  onStep('sign')
  const { signature: sign, publicKey = '' } = await wallet.signText(address, code)
  onStep('send')
  const done = await proved(() =>
    wallet.kind === 'cosmos'
      ? api('wallets.bindKeplr', { address, sign, publicKey })
      : api('wallets.bindEvm', { address, sign }),
  )
  if (!done) return undefined
  await queries.invalidateQueries()
  return address
}
