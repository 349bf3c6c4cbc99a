import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { paths } from '@tidenet/contract/paths.gen'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { makeLocalFolder } from '../local-files.ts'
import { printLine, printResult, reasonOf } from '../output.ts'
import { placeAt } from '../places.ts'
import { readSession, signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { getInto } from './get.ts'

/** What the account has, beside the folder with its files. */
const DOCUMENT = 'account.json'
const FILES = 'files'

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(texts.commands.export)
    .argument('<folder>', texts.arguments.exportTo)
    .option('-x, --extract', texts.options.extract)
    .action(async (folder: string, { extract }: { extract?: true }) => {
      const storage = signedIn()
      await makeLocalFolder(folder)
      const document = join(folder, DOCUMENT)
      await saveDocument(document)
      printLine(texts.exported(document))
      const root = await placeAt(storage, '/')
      // Files that are there with the same content are not downloaded again, so the same command resumes.
      const { list, renamed } = await getInto(storage, root, join(folder, FILES), extract === true)
      printResult({ document, list, renamed }, () => '')
    })
}

/** Streams the document to the disk; a failure leaves the one of before. */
async function saveDocument(path: string): Promise<void> {
  const { url, token } = readSession()
  const draft = `${path}.part`
  try {
    const answer = await fetch(`${url}${paths['accountExport.get'].path}`, {
      headers: { JwtAuthorization: `Bearer ${token}` },
      cache: 'no-store',
    })
    // Refusals are JSON too, but no attachment.
    if (!answer.ok || !answer.body || !answer.headers.has('content-disposition'))
      throw new Error(await refusalOf(answer))
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(draft, { mode: 0o600 }))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new CommandError(texts.notExported(reasonOf(error)))
  }
}

async function refusalOf(answer: Response): Promise<string> {
  const refusal = (await answer.json().catch(() => ({}))) as { msg?: unknown }
  return typeof refusal.msg === 'string' ? refusal.msg : `HTTP ${answer.status}`
}
