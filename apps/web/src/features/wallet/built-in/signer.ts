import {
  type AminoSignResponse,
  type OfflineAminoSigner,
  Secp256k1HdWallet,
  Secp256k1Wallet,
  type StdSignDoc,
  serializeSignDoc,
} from '@cosmjs/amino'
import { Bip39, EnglishMnemonic, Slip10, Slip10Curve, stringToPath } from '@cosmjs/crypto'
import { fromBech32, fromUtf8, toBech32 } from '@cosmjs/encoding'
import { toBase64, utf8 } from '../bytes.ts'
import { callWallet, WalletError } from '../errors.ts'
import type { Chain, CosmosWallet } from '../wallet.ts'
import { requestApproval } from './approval.ts'
import { notifyTabs, readBuiltIn, useBuiltIn } from './state.ts'
import { removeWallet, saveWallet } from './store.ts'
import { seal, unseal } from './vault.ts'

/** HD path of the first account, the same in all Cosmos wallets. */
const PATH = "m/44'/118'/0'/0/0"
/** Idle time after which the wallet locks itself. */
export const IDLE_MS = 15 * 60_000

let unlocked: { key: Uint8Array; until: number } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** The address of a recovery phrase. */
export async function addressOf(words: readonly string[], prefix: string): Promise<string> {
  const wallet = await Secp256k1HdWallet.fromMnemonic(words.join(' '), { prefix, hdPaths: [stringToPath(PATH)] })
  const [account] = await wallet.getAccounts()
  return account?.address ?? ''
}

const associatedData = (address: string): string => `tidenet wallet ${address}`

/**
 * Stores an encrypted wallet in this browser and unlocks it.
 * @throws WalletError `insecure`, `unreadable`
 */
export async function storeMnemonic(words: readonly string[], password: string, chain: Chain): Promise<string> {
  const address = await addressOf(words, chain.prefix)
  const sealed = await seal(words.join(' '), password, associatedData(address))
  await saveWallet({ address, prefix: chain.prefix, createdAt: new Date().toISOString(), sealed })
  await readBuiltIn()
  notifyTabs()
  await openWallet(words.join(' '))
  return address
}

/** Decrypts the recovery phrase. @throws WalletError `walletMissing`, `wrongPassword` */
export async function exportMnemonic(password: string): Promise<string[]> {
  const stored = await readBuiltIn()
  if (!stored) throw new WalletError('walletMissing')
  return (await unseal(stored.sealed, password, associatedData(stored.address))).split(' ')
}

/** Unlocks the wallet in this tab until it is idle for `IDLE_MS`. @throws WalletError `walletMissing`, `wrongPassword` */
export async function unlock(password: string): Promise<void> {
  await openWallet((await exportMnemonic(password)).join(' '))
}

/** Erases the key from memory. */
export function lock(): void {
  clearTimeout(timer)
  unlocked?.key.fill(0)
  unlocked = undefined
  useBuiltIn.setState({ open: false })
}

/** Deletes the wallet from this browser. Without its recovery phrase it is lost. */
export async function deleteWallet(): Promise<void> {
  lock()
  await removeWallet()
  await readBuiltIn()
  notifyTabs()
}

async function openWallet(phrase: string): Promise<void> {
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(phrase))
  unlocked = { key: Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath(PATH)).privkey, until: 0 }
  seed.fill(0)
  restartIdleTimer()
  useBuiltIn.setState({ open: true })
}

function restartIdleTimer(): void {
  if (!unlocked) return
  unlocked.until = Date.now() + IDLE_MS
  clearTimeout(timer)
  timer = setTimeout(lock, IDLE_MS)
}

// Created or removed in another tab: the key in this one is outdated.
useBuiltIn.subscribe(({ open, stored }) => {
  if (unlocked && (!open || !stored)) lock()
})

async function signer({ prefix }: Chain): Promise<Secp256k1Wallet> {
  // Timers do not run while the machine sleeps.
  if (unlocked && unlocked.until < Date.now()) lock()
  if (!unlocked) throw new WalletError('locked')
  restartIdleTimer()
  return Secp256k1Wallet.fromKey(unlocked.key, prefix)
}

/** The document of ADR-36: a text in the form of a transaction that no chain accepts. */
const textDocument = (signer: string, text: string) => ({
  chain_id: '',
  account_number: '0',
  sequence: '0',
  fee: { gas: '0', amount: [] },
  msgs: [{ type: 'sign/MsgSignData', value: { signer, data: toBase64(utf8(text)) } }],
  memo: '',
})

/** The built-in wallet; undefined if there is none. */
export async function builtInWallet(chain: Chain): Promise<CosmosWallet | undefined> {
  const stored = await readBuiltIn()
  if (!stored) return undefined
  const address = toBech32(chain.prefix, fromBech32(stored.address, 1023).data)
  const account = async () => {
    const [first] = await (await signer(chain)).getAccounts()
    if (first?.address !== address) throw new WalletError('unreadable')
    return first
  }
  return {
    kind: 'cosmos',
    id: 'built-in',
    name: '',
    connect: () =>
      callWallet(async () => {
        await signer(chain).catch(() => requestApproval('connect', ''))
        const { pubkey } = await account()
        return { address, publicKey: pubkey, name: '' }
      }),
    visibleAddress: async () => address,
    signText: (from, text) =>
      callWallet(async () => {
        await requestApproval('text', text)
        const { signature } = await (await signer(chain)).signAmino(from, textDocument(from, text))
        return { signature: signature.signature, publicKey: signature.pub_key.value }
      }),
    offlineSigner: async () =>
      ({
        getAccounts: async () => [await account()],
        signAmino: (from, document): Promise<AminoSignResponse> =>
          callWallet(async () => {
            // Serialize once: the summary shows and the key signs the same bytes, even if the document changes meanwhile.
            const text = fromUtf8(serializeSignDoc(document))
            await requestApproval('transaction', text)
            return (await signer(chain)).signAmino(from, JSON.parse(text) as StdSignDoc)
          }),
      }) satisfies OfflineAminoSigner,
    onChange: (listener) =>
      useBuiltIn.subscribe((now, before) => {
        if (before.stored && now.stored?.address !== before.stored.address) listener()
      }),
  }
}
