import { createReadStream } from 'node:fs'
import {
  type AnchorAddress,
  type Check,
  chainAt,
  compareReceipts,
  type Fact,
  FILE_BYTES_MAX,
  factsOf,
  isContradiction,
  type NetworkIdentity,
  parseAnchorAddress,
  publicKey,
  type RecomputedFile,
  type Relation,
  recomputeFiles,
  type Verification,
  verifyReceipt,
} from '@tidenet/receipts'
import { receiptTexts as english } from '@tidenet/receipts/texts-en'
import { receiptTexts as chinese } from '@tidenet/receipts/texts-zh'
import { bytes, clock, digits, utc } from './amounts.ts'
import { CommandError } from './command-error.ts'
import { identityOf, rememberedIdentity } from './network-identity.ts'
import { printLine, printResult, reasonOf } from './output.ts'
import { readSession, readUrl } from './session.ts'
import { lang, texts } from './texts.ts'
import { pad, plain, width } from './width.ts'

const words = lang === 'cn' ? chinese : english

interface Verified extends Pick<Verification, 'result' | 'checks' | 'proven' | 'claims'> {
  file: string
  /** Of the network that the file names. */
  key?: string
  /** Id of the chain that the anchor names. */
  chain?: string
}

export interface VerifyOptions {
  key?: string
  operator?: string
  chain?: string
}

/** `tidenet verify`: checks files of receipts, and compares them. @param files paths. @throws CommandError */
export async function verifyFiles(files: string[], options: VerifyOptions): Promise<void> {
  const given = readOptions(options)
  const contents = await Promise.all(files.map(readBeginning))
  const { url } = readSession()
  const identity = await expectedIdentity(url, given)
  const list: Verification[] = []
  for (const content of contents) list.push(await verifyReceipt(content, { ...identity, ...given.lookup }))
  const relations = compareReceipts(list)
  const days = recomputeFiles(list)
  const report = {
    list: list.map(({ result, checks, proven, claims, file }, at): Verified => {
      const stated = { ...(claims && { claims }), ...(file && { key: file.key }) }
      return {
        file: files[at]!,
        result,
        checks,
        proven,
        ...stated,
        ...(file?.anchor && { chain: file.anchor.chain }),
      }
    }),
    relations: relations.map(({ kind, files: [a, b] }) => ({ kind, files: [files[a], files[b]] })),
    recomputed: days.map(({ at, recomputed, ...rest }) => ({
      file: files[at]!,
      ...rest,
      difference: recomputed.difference,
    })),
  }
  const failed = list.filter(({ result }) => result === 'invalid').length
  const isUnknown = list.some(({ result }) => result === 'unknown_network')
  const text = [
    ...report.list.map(formatFile),
    ...relations.map((each) => formatRelation(each, files)),
    ...days.map((each) => formatDay(each, files)),
  ].join('\n\n')
  const isContradictory = relations.some(isContradiction)
  const hasDifference = days.some(({ result }) => result === 'differs')
  if (failed === 0 && !isUnknown && !isContradictory && !hasDifference) return printResult(report, () => text)
  printLine(text)
  throw new CommandError(
    failed > 0
      ? texts.someFailed(failed, files.length)
      : isUnknown
        ? texts.receipts.noKey(url)
        : isContradictory
          ? texts.receipts.contradiction
          : texts.receipts.dayDiffers,
    'failed',
    { more: report },
  )
}

/** @throws CommandError 'usage' */
function readOptions({ key, operator, chain }: VerifyOptions) {
  if (key !== undefined && !publicKey.safeParse(key).success)
    throw new CommandError(texts.usage.badNetworkKey(key), 'usage')
  const anchor = operator === undefined ? undefined : parseAnchorAddress(operator)
  if (operator !== undefined && !anchor) throw new CommandError(texts.usage.badAnchorAddress(operator), 'usage')
  return { key, anchor, lookup: chain === undefined ? {} : { chain: chainAt(readUrl(chain)) } }
}

/** What is given counts instead of what is remembered; an address that is remembered belongs to the keys that are remembered. */
async function expectedIdentity(
  url: string,
  { key, anchor }: { key: string | undefined; anchor: AnchorAddress | undefined },
): Promise<NetworkIdentity> {
  const known = key === undefined ? await identityOf(url) : rememberedIdentity(url)
  const same = key === undefined ? known.keys : known.keys.filter((each) => each.key === key)
  const keys = key === undefined || same.length > 0 ? same : [{ key }]
  return { keys, anchors: anchor ? [anchor] : same.length > 0 ? known.anchors : [] }
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

function formatFile({ file, result, checks, proven, claims, key, chain = '' }: Verified): string {
  const facts = claims
    ? factsOf(claims).map((fact): [string, string] => [words.facts[fact.name], formatFact(fact)])
    : []
  const rows: [string, string][] = [...facts, ...(key ? [[texts.receipts.key, key] as [string, string]] : [])]
  const column = Math.max(0, ...rows.map(([name]) => width(name))) + 2
  return [
    texts.each(plain(file), words.results[result]),
    ...(proven.length > 0
      ? [
          `  ${texts.each(words.proven, proven.map((level) => words.levels[level](plain(chain))).join(texts.receipts.and))}`,
        ]
      : []),
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

const formatDay = ({ at, result, missing }: RecomputedFile, names: readonly string[]): string =>
  texts.each(plain(names[at]!), texts.receipts.days[result](missing.join(', ')))

function formatFact({ form, value }: Fact): string {
  const number = Number(value)
  switch (form) {
    case 'bytes':
      return number < 1024 ? bytes(number) : texts.receipts.bytes(bytes(number), digits(number))
    case 'time':
      return `${utc(number)} UTC`
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
