import { createReadStream } from 'node:fs'
import {
  type Check,
  compareReceipts,
  type Fact,
  FILE_BYTES_MAX,
  factsOf,
  isContradiction,
  publicKey,
  type Relation,
  type Verification,
  verifyReceipt,
} from '@tidenet/receipts'
import { receiptTexts as english } from '@tidenet/receipts/texts-en'
import { receiptTexts as chinese } from '@tidenet/receipts/texts-zh'
import type { Command } from 'commander'
import { bytes, clock, moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { keysOf } from '../network-keys.ts'
import { printLine, printResult, reasonOf } from '../output.ts'
import { readSession } from '../session.ts'
import { lang, texts } from '../texts.ts'
import { pad, plain, width } from '../width.ts'

const words = lang === 'cn' ? chinese : english

interface Verified extends Pick<Verification, 'result' | 'checks' | 'claims'> {
  file: string
  /** Of the network that the file names. */
  key?: string
}

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description(texts.commands.verify)
    .argument('<files...>', texts.arguments.receipts)
    .option('--key <key>', texts.options.networkKey)
    .action(async (files: string[], { key }: { key?: string }) => {
      if (key !== undefined && !publicKey.safeParse(key).success)
        throw new CommandError(texts.usage.badNetworkKey(key), 'usage')
      const contents = await Promise.all(files.map(readBeginning))
      const { url } = readSession()
      const keys = key === undefined ? await keysOf(url) : [key]
      const list: Verification[] = []
      for (const content of contents) list.push(await verifyReceipt(content, { keys }))
      const relations = compareReceipts(list)
      const report = {
        list: list.map(({ result, checks, claims, file }, at): Verified => {
          const stated = { ...(claims && { claims }), ...(file && { key: file.key }) }
          return { file: files[at]!, result, checks, ...stated }
        }),
        relations: relations.map(({ kind, files: [a, b] }) => ({ kind, files: [files[a], files[b]] })),
      }
      const failed = list.filter(({ result }) => result === 'invalid').length
      const isUnknown = list.some(({ result }) => result === 'unknown_network')
      const text = [...report.list.map(formatFile), ...relations.map((each) => formatRelation(each, files))].join(
        '\n\n',
      )
      if (failed === 0 && !isUnknown && !relations.some(isContradiction)) return printResult(report, () => text)
      printLine(text)
      throw new CommandError(
        failed > 0
          ? texts.someFailed(failed, files.length)
          : isUnknown
            ? texts.receipts.noKey(url)
            : texts.receipts.contradiction,
        'failed',
        { more: report },
      )
    })
}

/** One byte more than a receipt file can have: enough to see that it is too large. @throws CommandError 'notFound' */
async function readBeginning(path: string): Promise<Uint8Array> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of createReadStream(path, { end: FILE_BYTES_MAX })) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandError(texts.noSuchLocal(path), 'notFound')
    throw new CommandError(texts.each(path, reasonOf(error)))
  }
}

function formatFile({ file, result, checks, claims, key }: Verified): string {
  const facts = claims
    ? factsOf(claims).map((fact): [string, string] => [words.facts[fact.name], formatFact(fact)])
    : []
  const rows: [string, string][] = [...facts, ...(key ? [[texts.receipts.key, key] as [string, string]] : [])]
  const column = Math.max(0, ...rows.map(([name]) => width(name))) + 2
  return [
    texts.each(plain(file), words.results[result]),
    ...(claims ? [`  ${words.kinds[claims.kind]}`] : []),
    ...rows.map(([name, text]) => `    ${pad(name, column)}${plain(text)}`),
    ...checks.map(formatCheck),
  ].join('\n')
}

function formatCheck(check: Check): string {
  const { states } = texts.receipts
  const column = Math.max(...Object.values(states).map(width)) + 2
  const reasons: Record<string, string> = words.reasons[check.name]
  const text = check.state === 'passed' ? words.passed[check.name] : reasons[check.reason]
  return `  ${pad(states[check.state], column)}${text ?? ''}`
}

const formatRelation = ({ kind, files: [a, b] }: Relation, names: readonly string[]): string =>
  texts.each(`${plain(names[a]!)}, ${plain(names[b]!)}`, words.relations[kind])

function formatFact({ form, value }: Fact): string {
  const number = Number(value)
  switch (form) {
    case 'bytes':
      return bytes(number)
    case 'time':
      return moment(number * 1000)
    case 'seconds':
      return clock(number)
    case 'share':
      return `${number / 10_000}%`
    case 'points':
      return texts.receipts.points(number / 1_000_000)
    case 'coins':
      return texts.receipts.coins(String(value))
    case 'word':
      return words.words[value] ?? String(value)
    default:
      return String(value)
  }
}
