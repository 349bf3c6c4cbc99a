import { AppError, type CannedAnswer, CHAT_CANNED_MAX, type contract, type Parsed } from '@tidenet/contract'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { change, type Deps, type Operator } from '../admin/change.ts'
import * as repository from './desk-repository.ts'

type Input = Parsed<(typeof contract)['chatDesk']['saveCanned']>

export const listCanned = async ({ db }: Pick<Deps, 'db'>): Promise<{ max: number; list: CannedAnswer[] }> => ({
  max: CHAT_CANNED_MAX,
  list: await repository.listCanned(db),
})

/** @throws AppError notFound; chatCanned if the name is taken or there are too many */
export const saveCanned = (context: Deps, operator: Operator, { id, ...texts }: Input): Promise<CannedAnswer> =>
  change(context, operator, { action: 'chat.canned', subject: `canned:${id ?? texts.name}` }, async (tx) => {
    await advisoryLock(tx, 'canned answers')
    if (id === undefined) {
      const result = await repository.insertCanned(tx, texts, CHAT_CANNED_MAX)
      if (!result) throw new AppError('chatCanned')
      return { result, detail: { after: texts } }
    }
    const all = await repository.lockCanned(tx)
    const before = all.find((row) => row.id === id)
    if (!before) throw new AppError('notFound')
    if (all.some((row) => row.id !== id && row.name === texts.name)) throw new AppError('chatCanned')
    const result = { id, ...texts }
    await repository.updateCanned(tx, result)
    return { result, detail: { before, after: texts } }
  })

export const removeCanned = (context: Deps, operator: Operator, id: number): Promise<Record<string, never>> =>
  change(context, operator, { action: 'chat.canned', subject: `canned:${id}` }, async (tx) => ({
    result: {},
    detail: { removed: await repository.deleteCanned(tx, id) },
  }))
