import { createHash } from 'node:crypto'
import { endedShareText, type Input, type RouteOf, type ShortLink } from '@tidenet/contract'
import type { As, Person, TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let machines = 0

/** How nodes recognize an ended share. */
export const endedKeyOf = (account: unknown, target: unknown): string =>
  createHash('sha256')
    .update(endedShareText(String(account), String(target)))
    .digest('hex')

/** For tests: short links, and visitors who open them. `env` and `node` are set up later. */
export function sampleShortLinks(env: () => TestEnv, node: () => Awaited<ReturnType<TestEnv['node']>>) {
  /** An IP address that no call came from before. */
  const elsewhere = () => ({ ip: `10.7.${Math.floor(++machines / 250)}.${machines % 250}` })
  const tokenOf = ({ url }: Pick<ShortLink, 'url'>) => url.split('/').at(-1) ?? ''
  return {
    elsewhere,
    tokenOf,
    file: (owner: Person, more: Parameters<typeof sampleFile>[2] = {}) =>
      sampleFile(env().db, owner.id, { nodes: [node()], ...more }),
    folder: async (owner: Person, name: string, parent = 0) =>
      (await env().call('folders.create', { name, parent }, owner)).data.group.ID,
    create: (owner: Person, input: Input<RouteOf<'shortLinks.create'>>) =>
      env().call('shortLinks.create', input, owner),
    open: (link: Pick<ShortLink, 'url'>, more: { password?: string } = {}, as: As = elsewhere()) =>
      env().call('shortLinks.open', { token: tokenOf(link), ...more }, as),
    download: (
      opened: { user_id: string; ticket: string; cid: string },
      more: { asset_cid?: string; preview?: boolean } = {},
      as: As = elsewhere(),
    ) =>
      env().call(
        'downloads.open',
        { user_id: opened.user_id, ticket: opened.ticket, asset_cid: opened.cid, ...more },
        as,
      ),
  }
}
