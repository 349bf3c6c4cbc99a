import type { Lang } from '@tidenet/contract'
import { getAddress } from 'viem/utils'
import type { WalletAddress } from './proofs.ts'
import { type Purpose, texts } from './texts.ts'

export interface MessageFacts {
  purpose: Purpose
  /** Undefined: any wallet of the chain. */
  wallet: WalletAddress | undefined
  /** The uid of the account; undefined: sign in. */
  account: string | undefined
  nonce: string
  /** Origin at which the user uses the portal: wallets compare it with the page. */
  portal: string
  issued: Date
  expires: Date
  lang: Lang
}

/** Required by EIP-4361; we do not use the chain. */
const EVM_CHAIN = 1

/** Host and non-default port, which wallets compare with the page. */
export const domainOf = (portal: string): string => new URL(portal).host

const siweHeader = (domain: string) => `${domain} wants you to sign in with your Ethereum account:`

/** Whether a message was created for this host. */
export const isMessageFor = (text: string, domain: string): boolean =>
  [siweHeader(domain), texts.en.asks(domain), texts.cn.asks(domain)].includes(text.split('\n', 1)[0] ?? '')

/** EIP-4361 for 0x wallets; for chain wallets, lines in the user's language. */
export function messageText(facts: MessageFacts): string {
  return facts.wallet?.kind === 'evm' ? siweText(facts, facts.wallet.address) : plainText(facts)
}

function plainText({ purpose, wallet, account, nonce, portal, issued, expires, lang }: MessageFacts): string {
  const words = texts[lang]
  const domain = domainOf(portal)
  const colon = lang === 'cn' ? '：' : ': '
  const lines: [string, string | undefined][] = [
    [words.purpose, words.purposes[purpose]],
    [words.address, wallet?.address],
    [words.account, account],
    [words.nonce, nonce],
    [words.issued, issued.toISOString()],
    [words.expires, expires.toISOString()],
  ]
  return [
    words.asks(domain),
    '',
    ...lines.filter(([, value]) => value !== undefined).map((line) => line.join(colon)),
    '',
    words.advice(domain),
  ].join('\n')
}

/** Always English: EIP-4361 only allows ASCII in the statement. */
function siweText({ purpose, account, nonce, portal, issued, expires }: MessageFacts, address: string): string {
  const statement = `Purpose: ${texts.en.purposes[purpose]}${account === undefined ? '' : `, ${account}`}. This costs nothing and moves no coins.`
  return `${siweHeader(domainOf(portal))}
${getAddress(address)}

${statement}

URI: ${portal}
Version: 1
Chain ID: ${EVM_CHAIN}
Nonce: ${nonce}
Issued At: ${issued.toISOString()}
Expiration Time: ${expires.toISOString()}`
}
