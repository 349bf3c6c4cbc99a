/**
 * What `npm run faults` breaks. `find` stands once in the sources below `folder`; files may move.
 * @type {readonly { name: string, promise: 'money' | 'access' | 'data loss' | 'wire' | 'languages', folder: string, find: string, replace: string, project: string, tests: readonly string[] }[]}
 */
export const faults = [
  {
    name: 'refund-of-begun-hours',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'Math.max(1, Math.ceil((height - startHeight) / BLOCKS_AN_HOUR))',
    replace: 'Math.max(1, Math.floor((height - startHeight) / BLOCKS_AN_HOUR))',
    project: 'unit',
    tests: ['apps/server/src/payments/orders/lots.test.ts'],
  },
]
