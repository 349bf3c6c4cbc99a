import { api } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { checkRecentAuth, type WithRecentAuth } from '../recent-auth/recent-auth.tsx'
import { keepConnected } from './connected.ts'
import { storeLastWallet } from './last-wallet.ts'
import type { Wallet } from './wallet.ts'

/** Steps of signing in or linking; the user acts in the first and third. */
export type Step = 'connect' | 'ask' | 'sign' | 'send'

/**
 * Signs in with a wallet; the first time, an account is created.
 * @throws ApiError or WalletError
 */
export async function signInWithWallet(wallet: Wallet, onStep: (step: Step) => void): Promise<void> {
  onStep('connect')
  const { address } = await wallet.connect()
  onStep('ask')
  const { code } = await api('wallets.loginNonce', { username: address }, { token: '' })
  onStep('sign')
  const { signature, publicKey } = await wallet.signText(address, code)
  onStep('send')
  const proof = { username: address, address, sign: signature, ...(publicKey && { publicKey }) }
  // Stored before the answer: the second-factor step does not know the wallet.
  const chain = wallet.kind === 'evm' ? await wallet.chain().catch(() => '') : ''
  storeLastWallet({ kind: wallet.kind, id: wallet.id, address, chain })
  const { token } = await api('accounts.login', proof, { token: '' })
  await openSession(token, 3)
  keepConnected(wallet, address)
}

/**
 * Links a wallet to the signed-in account. The caller reloads all queries.
 * @param withRecentAuth asks for recent authentication if the server requires it: before the wallet signs, and again if it expired meanwhile
 * @returns its address; undefined if the user cancels
 * @throws ApiError or WalletError
 */
export async function linkWallet(
  wallet: Wallet,
  onStep: (step: Step) => void,
  withRecentAuth: WithRecentAuth,
): Promise<string | undefined> {
  onStep('connect')
  const { address } = await wallet.connect()
  onStep('ask')
  if (!(await withRecentAuth(checkRecentAuth))) return undefined
  const { code } = await api('wallets.bindNonce', { address })
  onStep('sign')
  const { signature: sign, publicKey = '' } = await wallet.signText(address, code)
  onStep('send')
  const done = await withRecentAuth(() =>
    wallet.kind === 'cosmos'
      ? api('wallets.bindKeplr', { address, sign, publicKey })
      : api('wallets.bindEvm', { address, sign }),
  )
  if (done) keepConnected(wallet, address)
  return done && address
}
