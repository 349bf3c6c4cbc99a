import type { Ciphers } from '../platform/cipher.ts'
import { newKey, type VaultKey, wrapKey } from './wraps.ts'

/** What a recovery kit holds. */
export interface Kit {
  /** Public key of the vault. */
  recipient: string
  /** The recovery key: an age identity of its own. */
  recovery: string
  /** The vault's key, encrypted for the recovery key. */
  wrap: string
}

export async function makeKit(ciphers: Ciphers, key: VaultKey): Promise<Kit> {
  const { identity, recipient } = await newKey()
  return {
    recipient: key.recipient,
    recovery: identity,
    wrap: await wrapKey(ciphers, key, { recipients: [recipient] }),
  }
}

/**
 * The kit as a text file. Every line but the recovery key is a comment, so that the file is an identity file of the program `age`, and the
 * steps in it work without the portal.
 */
export function kitText(
  { recipient, recovery, wrap }: Kit,
  facts: { portal: string; account: string; date: string },
): string {
  return [
    '# Tidenet recovery kit · Tidenet 恢复套件',
    '#',
    '# Keep it where only you can get at it: on paper, or on a drive that is not connected. Whoever has it can open',
    '# your encrypted files. If you lose it and all other ways to unlock, nobody can open them.',
    '# 请保存在只有您能取得的地方，例如打印在纸上，或存入离线的存储设备。持有它的人可以打开您的加密文件。',
    '# 如果它和其他解锁方式全部丢失，任何人都无法再打开这些文件。',
    '#',
    `# portal · 门户: ${facts.portal}`,
    `# account · 账号: ${facts.account}`,
    `# date · 日期: ${facts.date}`,
    `# vault · 公钥: ${recipient}`,
    '#',
    '# recovery key · 恢复密钥:',
    recovery,
    '#',
    "# the vault's key, encrypted with the recovery key · 已用恢复密钥加密的文件密钥:",
    ...wrap
      .trim()
      .split('\n')
      .map((line) => `# ${line}`),
    '#',
    '# In the portal: unlock with this file, or type the recovery key.',
    '# 在门户中：选择本文件解锁，或输入恢复密钥。',
    '#',
    '# Without the portal, with the program age (https://age-encryption.org): save this text as kit.txt, then run',
    '# 门户不可用时，可使用 age 程序（https://age-encryption.org）：将本文保存为 kit.txt，然后运行',
    '#',
    "#   sed -n 's/^# //; /^-----BEGIN AGE/,/^-----END AGE/p' kit.txt | age -d -i kit.txt > vault-key.txt",
    '#   age -d -i vault-key.txt -o photo.jpg photo.jpg.age',
    '#',
    '# photo.jpg.age is a file as the portal stores it. · photo.jpg.age 是门户所存储的加密文件。',
    '# Without sed: copy the lines from BEGIN to END into wrap.txt without “# ”, then run',
    '# 没有 sed 时：将 BEGIN 至 END 各行去掉“# ”后存为 wrap.txt，然后运行',
    '#',
    '#   age -d -i kit.txt -o vault-key.txt wrap.txt',
    '',
  ].join('\n')
}

const KEY = /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/

/**
 * Reads a kit, or a recovery key alone, in any case and with spaces, as people type it.
 * @returns undefined if there is no recovery key in it
 */
export function readKit(text: string): Pick<Kit, 'recovery'> & Partial<Kit> {
  const lines = text.replaceAll('\r', '').split('\n')
  const bare = lines.map((line) => line.replace(/^[\s#>]+/, '').trimEnd())
  const keyIn = (part: string) => KEY.exec(part.replaceAll(/\s/g, '').toUpperCase())?.[0]
  const recovery = bare.map(keyIn).find(Boolean) ?? keyIn(text) ?? ''
  const recipient = bare.map((line) => /\bage1[02-9ac-hj-np-z]{58}\b/.exec(line)?.[0]).find(Boolean)
  const begin = bare.indexOf('-----BEGIN AGE ENCRYPTED FILE-----')
  const end = bare.indexOf('-----END AGE ENCRYPTED FILE-----')
  return {
    recovery,
    ...(recipient && { recipient }),
    ...(begin >= 0 && end > begin && { wrap: `${bare.slice(begin, end + 1).join('\n')}\n` }),
  }
}
