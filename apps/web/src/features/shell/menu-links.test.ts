import { beforeAll, expect, it } from 'vitest'
import { type AddressName, addresses } from '../../addresses.ts'
import { loadTexts } from '../../lib/texts.ts'
import { consoleMenus } from './menu-links.tsx'

beforeAll(loadTexts)

/**
 * The comparison of plans, the activity, the notifications, blocked files and the deletion of the account, linked on the account page; the operator area, in the account menu
 * of operators; and PCDN, until the service exists.
 */
const NOT_IN_MENU: readonly AddressName[] = [
  'center',
  'activity',
  'notifications',
  'endingFiles',
  'blockedFiles',
  'closeAccount',
  'admin',
  'myPcdn',
]

it('has an entry for every console page, and only for those', () => {
  const linked = consoleMenus().flatMap(({ links }) => links.map(({ href }) => href.split('?')[0]))
  const pages = (Object.keys(addresses) as AddressName[])
    .filter((name) => addresses[name].frame === 'console' && !NOT_IN_MENU.includes(name))
    .map((name) => addresses[name].path)
  expect([...new Set(linked)].sort()).toEqual(pages.sort())
})
