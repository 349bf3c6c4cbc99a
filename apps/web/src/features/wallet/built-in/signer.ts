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
import { asking, WalletError } from '../errors.ts'
import type { Chain, CosmosWallet } from '../wallet.ts'
import { approved } from './approval.ts'
import { readBuiltIn, tellTabs, useBuiltIn } from './state.ts'
import { removeWallet, saveWallet } from './store.ts'
import { seal, unseal } from './vault.ts'

/** The first account of a phrase, where every Cosmos wallet looks for it. */
const PATH = "m/44'/118'/0'/0/0"
/** The wallet locks itself when it has not been used for so long. */
export const IDLE_MS = 15 * 60_000

let held: { key: Uint8Array; until: number } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** The address that twelve words give. */
export async function addressOf(words: readonly string[], prefix: string): Promise<string> {
  const wallet = await Secp256k1HdWallet.fromMnemonic(words.join(' '), { prefix, hdPaths: [stringToPath(PATH)] })
  const [account] = await wallet.getAccounts()
  return account?.address ?? ''
}

const about = (address: string): string => `tidenet wallet ${address}`

/**
 * Keeps a wallet in this browser, sealed, and opens it.
 * @throws WalletError `insecure`, `unreadable`
 */
export async function keepWords(words: readonly string[], password: string, chain: Chain): Promise<string> {
  const address = await addressOf(words, chain.prefix)
  const sealed = await seal(words.join(' '), password, about(address))
  await saveWallet({ address, prefix: chain.prefix, createdAt: new Date().toISOString(), sealed })
  await readBuiltIn()
  tellTabs()
  await hold(words.join(' '))
  return address
}

/** The words, for who knows the password. @throws WalletError `walletMissing`, `wrongPassword` */
export async function exportWords(password: string): Promise<string[]> {
  const stored = await readBuiltIn()
  if (!stored) throw new WalletError('walletMissing')
  return (await unseal(stored.sealed, password, about(stored.address))).split(' ')
}

/** Opens the wallet in this tab until it was idle for a while. @throws WalletError `walletMissing`, `wrongPassword` */
export async function unlock(password: string): Promise<void> {
  await hold((await exportWords(password)).join(' '))
}

/** Forgets the key at once. */
export function lock(): void {
  clearTimeout(timer)
  held?.key.fill(0)
  held = undefined
  useBuiltIn.setState({ open: false })
}

/** Takes the wallet out of this browser for good. Without its words it is lost. */
export async function forgetWallet(): Promise<void> {
  lock()
  await removeWallet()
  await readBuiltIn()
  tellTabs()
}

async function hold(phrase: string): Promise<void> {
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(phrase))
  held = { key: Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath(PATH)).privkey, until: 0 }
  seed.fill(0)
  rest()
  useBuiltIn.setState({ open: true })
}

/** Begins the time of idleness again. */
function rest(): void {
  if (!held) return
  held.until = Date.now() + IDLE_MS
  clearTimeout(timer)
  timer = setTimeout(lock, IDLE_MS)
}

// Made or removed in another tab: what this one holds belongs to a wallet that is not there.
useBuiltIn.subscribe(({ open, stored }) => {
  if (held && (!open || !stored)) lock()
})

async function signer({ prefix }: Chain): Promise<Secp256k1Wallet> {
  // A machine that slept runs no timers.
  if (held && held.until < Date.now()) lock()
  if (!held) throw new WalletError('locked')
  rest()
  return Secp256k1Wallet.fromKey(held.key, prefix)
}

/** The document of ADR-36: a text in the form of a transaction that no chain would take. */
const textDocument = (signer: string, text: string) => ({
  chain_id: '',
  account_number: '0',
  sequence: '0',
  fee: { gas: '0', amount: [] },
  msgs: [{ type: 'sign/MsgSignData', value: { signer, data: toBase64(utf8(text)) } }],
  memo: '',
})

/** The wallet of this browser as one like any other; undefined when there is none. */
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
      asking(async () => {
        await signer(chain).catch(() => approved('connect', ''))
        const { pubkey } = await account()
        return { address, publicKey: pubkey, name: '' }
      }),
    shown: async () => address,
    signText: (from, text) =>
      asking(async () => {
        await approved('text', text)
        const { signature } = await (await signer(chain)).signAmino(from, textDocument(from, text))
        return { signature: signature.signature, publicKey: signature.pub_key.value }
      }),
    offlineSigner: async () =>
      ({
        getAccounts: async () => [await account()],
        signAmino: (from, document): Promise<AminoSignResponse> =>
          asking(async () => {
            // The very bytes: what is said of them is read out of them, and they are signed whatever becomes of the document meanwhile.
            const text = fromUtf8(serializeSignDoc(document))
            await approved('transaction', text)
            return (await signer(chain)).signAmino(from, JSON.parse(text) as StdSignDoc)
          }),
      }) satisfies OfflineAminoSigner,
    onChange: (listener) =>
      useBuiltIn.subscribe((now, before) => {
        if (before.stored && now.stored?.address !== before.stored.address) listener()
      }),
  }
}
